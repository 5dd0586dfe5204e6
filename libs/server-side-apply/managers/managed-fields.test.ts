import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, ManagedFieldsEntry } from '@binnacle/api-objects';
import { runCounted } from '@binnacle/event-loop/testing';
import { fieldSetFromJson } from '../field-sets/fields-v1.ts';
import { capUpdateManagers, updateManagerLimit } from './cap-update-managers.ts';
import type { FieldManager } from './field-managers.ts';
import {
  decodeManagedFields,
  encodeManagedFields,
  equalExceptTimes,
  equalExceptTimesSteps,
  type ManagedFields,
} from './managed-fields.ts';
import { managerIdFromIdentity, managerText, parseManagerId } from './manager-id.ts';

function entry(manager: string, rest: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  const fieldsV1 = { 'f:data': { [`f:${manager}`]: {} } };
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2024-01-01T00:00:01Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...rest,
  };
}

test('entries are sorted by operation, time, manager, version and subresource', () => {
  const ordered = [
    entry('z', { operation: 'Apply', time: '2024-01-01T00:00:00Z' }),
    entry('a', { operation: 'Apply' }),
    entry('b', { operation: 'Apply', time: '2024-01-01T02:00:01+02:00' }),
    entry('y', { time: '2023-01-01T00:00:00Z' }),
    entry('a'),
    entry('a', { subresource: 'status' }),
    entry('a', { apiVersion: 'v2' }),
    entry('x'),
  ];
  assert.deepEqual(encodeManagedFields(decodeManagedFields([...ordered].reverse())), ordered);
  assert.deepEqual(Object.keys(encodeManagedFields(decodeManagedFields([ordered[5]!]))[0]!), [
    ...['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'],
  ]);
});

const dropped: { what: string; rest: Partial<ManagedFieldsEntry> }[] = [
  { what: 'another operation', rest: { operation: 'Delete' } },
  { what: 'no version', rest: { apiVersion: '' } },
  { what: 'another form of fields', rest: { fieldsType: 'FieldsV2' } },
  { what: 'a malformed field set', rest: { fieldsV1: { bogus: {} } } },
  { what: 'a malformed value of a list element', rest: { fieldsV1: { 'f:a': { 'v:{': {} } } } },
  { what: 'keys of a list element that are none', rest: { fieldsV1: { 'f:a': { 'k:[1]': {} } } } },
  {
    what: 'a value that nests too deep',
    rest: { fieldsV1: { [`v:${'['.repeat(20_000)}${']'.repeat(20_000)}`]: {} } },
  },
  { what: 'no fields', rest: { fieldsV1: {} } },
];

for (const { what, rest } of dropped) {
  test(`an entry with ${what} is dropped, the others stay`, () => {
    const entries = encodeManagedFields(decodeManagedFields([entry('a', rest), entry('b')]));
    assert.deepEqual(entries, [entry('b')]);
  });
}

test('an internal error of the decoder is not treated as an invalid entry', () => {
  const faulty = new Proxy({} as NonNullable<ManagedFieldsEntry['fieldsV1']>, {
    ownKeys: () => assert.fail('a fault'),
  });
  assert.throws(() => decodeManagedFields([entry('a', { fieldsV1: faulty })]), /a fault/);
});

test('an entry without fields is dropped even without a fieldsType', () => {
  assert.equal(decodeManagedFields([{}]).managers.size, 0);
});

test('an applier is the same manager in every version, and an updater another one in each version', () => {
  const id = (operation: 'Apply' | 'Update', apiVersion: string) =>
    managerIdFromIdentity({ manager: 'm', operation, apiVersion, subresource: '' });
  assert.equal(id('Apply', 'v1'), id('Apply', 'v2'));
  assert.notEqual(id('Update', 'v1'), id('Update', 'v2'));
  assert.deepEqual(parseManagerId(id('Update', 'v1')), {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    subresource: '',
  });
});

test('managers are formatted as in conflicts', () => {
  const text = (operation: 'Apply' | 'Update', subresource: string, time?: string) =>
    managerText(
      managerIdFromIdentity({ manager: 'm"1', operation, apiVersion: 'apps/v1', subresource }),
      time,
    );
  assert.equal(text('Apply', ''), '"m\\"1"');
  assert.equal(text('Update', ''), '"m\\"1" using apps/v1');
  assert.equal(
    text('Update', 'status', '2024-01-01T00:00:00Z'),
    '"m\\"1" with subresource "status" using apps/v1 at 2024-01-01T00:00:00Z',
  );
});

test('entries that differ in times only are equal except for times', () => {
  assert.ok(
    equalExceptTimes([entry('a'), entry('b')], [entry('b', { time: '2025-01-01T00:00:00Z' }), entry('a')]),
  );
  assert.ok(!equalExceptTimes([entry('a')], [entry('b')]));
  assert.ok(equalExceptTimes(undefined, []));
});

test('a comparison of entries in steps has the same result as at once', () => {
  const fieldsV1 = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f:k${i}`, {}]));
  const long = [entry('a'), { ...entry('b'), fieldsV1 }];
  const later = [{ ...entry('b', { time: '2025-01-01T00:00:00Z' }), fieldsV1: { ...fieldsV1 } }, entry('a')];
  const { result, steps } = runCounted(equalExceptTimesSteps(long, later));
  assert.equal(result, true);
  assert.ok(steps > 4, `${steps} steps`);
  const fewer = [entry('a'), { ...entry('b'), fieldsV1: { ...fieldsV1, 'f:k19999': { 'f:a': {} } } }];
  assert.equal(runCounted(equalExceptTimesSteps(long, fewer)).result, false);
  assert.equal(runCounted(equalExceptTimesSteps(undefined, [])).result, true);
});

function updaters(count: number, apiVersion: (i: number) => string): ManagedFields {
  const managers = new Map<string, FieldManager>();
  const times = new Map<string, string>();
  for (let i = 0; i < count; i++) {
    const id = managerIdFromIdentity({
      manager: `m${i}`,
      operation: 'Update',
      apiVersion: apiVersion(i),
      subresource: '',
    });
    managers.set(id, {
      apiVersion: apiVersion(i),
      applied: false,
      fields: fieldSetFromJson({ [`f:${i}`]: {} }),
    });
    times.set(id, `2024-01-01T00:00:${String(i).padStart(2, '0')}Z`);
  }
  return { managers, times };
}

test('update managers up to the limit are kept separate', () => {
  const managed = updaters(updateManagerLimit, () => 'v1');
  assert.equal(capUpdateManagers(managed), managed);
});

test('the oldest update managers beyond the limit are merged, repeatedly', () => {
  const capped = encodeManagedFields(capUpdateManagers(updaters(13, () => 'v1')));
  assert.equal(capped.length, updateManagerLimit);
  assert.deepEqual(capped[0], {
    ...entry('ancient-changes', { time: '2024-01-01T00:00:03Z' }),
    fieldsV1: { 'f:0': {}, 'f:1': {}, 'f:2': {}, 'f:3': {} },
  });
  const more = decodeManagedFields([...capped, entry('new', { time: '2024-01-01T01:00:00Z' })]);
  const repeated = encodeManagedFields(capUpdateManagers(more));
  assert.equal(repeated.length, updateManagerLimit);
  assert.deepEqual(Object.keys(repeated[0]!.fieldsV1!), ['f:0', 'f:1', 'f:2', 'f:3', 'f:4']);
});

test('managers of different versions are not merged', () => {
  const managed = updaters(11, i => `v${i}`);
  assert.equal(capUpdateManagers(managed).managers.size, 11);
});

test('stored entries with the same text share one set, which is encoded as it was decoded', () => {
  const wholeEntry = (fieldsV1: JsonObject): ManagedFieldsEntry => ({
    manager: 'a',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
  });
  const fields = () => ({ 'f:data': { 'f:one': {}, '.': {} } });
  const [first, second] = [fields(), fields()].map(json =>
    decodeManagedFields([wholeEntry(json)], { stored: true }),
  );
  assert.ok(first && second);
  const createSet = ({ managers }: ManagedFields) => [...managers.values()][0]?.fields;
  assert.equal(createSet(first), createSet(second));
  assert.deepEqual(encodeManagedFields(second), [wholeEntry(fields())]);
  // Sets sent by clients are not cached.
  const sent = decodeManagedFields([wholeEntry(fields())]);
  assert.notEqual(createSet(sent), createSet(first));
  assert.deepEqual(createSet(sent), createSet(first));
});
