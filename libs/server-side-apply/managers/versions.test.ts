import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { apply, applySteps } from '../apply.ts';
import { fieldSetOfPaths, listPaths } from '../field-sets/field-set.ts';
import { pathText } from '../field-sets/path-element.ts';
import { createMapSchema, struct, text } from '../test-drivers/schema-of-everything.ts';
import { update } from '../update.ts';
import { equalManagers, type FieldManagers, managersDifference } from './field-managers.ts';
import { type ManagedFields, noManagers } from './managed-fields.ts';
import { convertedInTime, type Versions } from './versions.ts';

const names: Readonly<Record<string, string>> = { v1: 'size', v2: 'replicas', v3: 'count' };

function readSchema(version: string) {
  return struct({ apiVersion: text, [names[version]!]: text, data: createMapSchema(text) }); // Only called for known versions.
}

/** Versions with different names of one field. */
const versions: Versions = {
  view: version => (version in names ? { schema: readSchema(version) } : undefined),
  convert(object: JsonValue, from, to) {
    const { [names[from]!]: renamed, apiVersion: _, ...rest } = object as JsonObject; // Only whole objects are converted.
    return { apiVersion: to, ...(renamed === undefined ? {} : { [names[to]!]: renamed }), ...rest };
  },
};

interface State {
  readonly object: JsonObject;
  readonly managed: ManagedFields;
}

function applied(state: State, manager: string, config: JsonObject): State | readonly string[] {
  const apiVersion = String(config.apiVersion);
  const live = state.object.apiVersion === apiVersion ? state.object : convertedTo(apiVersion, state.object);
  const result = apply({
    ...{ live, applied: config, managed: state.managed, manager, apiVersion, versions },
    ...{ schema: readSchema(apiVersion), now: '2024-01-01T00:00:00Z' },
  });
  return result.kind === 'applied'
    ? { object: result.object, managed: result.managed }
    : result.conflicts.map(({ manager: other, path }) => `${other}: ${path}`);
}

function convertedTo(version: string, object: JsonObject): JsonObject {
  return versions.convert(object, String(object.apiVersion), version) as JsonObject; // Converting an object yields an object.
}

const inV1 = applied({ object: { apiVersion: 'v1' }, managed: noManagers }, 'm1', {
  ...{ apiVersion: 'v1', size: '3', data: { a: '1' } },
}) as State; // There is no other manager to conflict with.

test('conflicts are found across versions, and reported in the version of the manager', () => {
  assert.deepEqual(applied(inV1, 'm2', { apiVersion: 'v2', replicas: '4' }), ['"m1": .size']);
});

test('a manager that continues in another version gives up the fields of the first one', () => {
  const state = applied(inV1, 'm1', { apiVersion: 'v2', data: { a: '1' } }) as State; // No conflicts.
  assert.deepEqual(state.object, { apiVersion: 'v2', data: { a: '1' } });
  assert.deepEqual(
    [...state.managed.managers.values()].map(manager => manager.apiVersion),
    ['v2'],
  );
});

test('a field with another name in another version keeps its manager', () => {
  const shared = applied(inV1, 'm2', { apiVersion: 'v2', replicas: '3' }) as State; // The same value.
  const state = applied(shared, 'm1', { apiVersion: 'v1', data: { a: '1' } }) as State; // m2 keeps its field.
  assert.deepEqual(state.object, { apiVersion: 'v1', size: '3', data: { a: '1' } });
});

test('asynchronous conversions give the same result as synchronous ones', async () => {
  const shared = applied(inV1, 'm2', { apiVersion: 'v2', replicas: '3' }) as State; // The same value.
  const request = {
    ...{ live: inV1.object, applied: { apiVersion: 'v1', data: { a: '1' } }, managed: shared.managed },
    ...{ manager: 'm1', apiVersion: 'v1', schema: readSchema('v1'), now: '2024-01-01T00:00:00Z' },
  };
  let conversions = 0;
  const work = applySteps({ ...request, versions: { view: versions.view } });
  let yields = 0;
  const result = await convertedInTime(work, {
    async convert({ object, from, to }) {
      conversions++;
      await new Promise(resolve => setImmediate(resolve));
      return versions.convert(object, from, to);
    },
    yield() {
      return yields++ % 2 === 0 ? undefined : Promise.resolve();
    },
  });
  assert.ok(conversions > 0);
  assert.ok(yields > 5, `${yields} yields`);
  assert.deepEqual(result, apply({ ...request, versions }));
  await assert.rejects(
    async () =>
      convertedInTime(applySteps({ ...request, versions }), {
        async convert() {
          throw new Error('the webhook is down');
        },
        yield: () => undefined,
      }),
    /the webhook is down/,
  );
});

test('managers in a removed version are dropped', () => {
  const [[id, manager] = assert.fail()] = inV1.managed.managers;
  const managers = new Map([[id, { ...manager, apiVersion: 'v0' }]]);
  const managed = update({
    ...{ live: inV1.object, next: { ...inV1.object, size: '5' }, managed: { managers, times: new Map() } },
    ...{ manager: 'm3', apiVersion: 'v1', versions, schema: readSchema('v1'), now: '2024-01-01T00:00:00Z' },
  });
  const [only] = managed.managers.values();
  assert.equal(managed.managers.size, 1);
  assert.deepEqual([...listPaths(only!.fields)].map(pathText), ['.size']);
});

test('managers in a version that is removed while a write is recorded are dropped', () => {
  const managerIn = (apiVersion: string) => ({
    ...{ apiVersion, applied: true, fields: fieldSetOfPaths([['f:data', 'f:a']]) },
  });
  let isServed = true;
  const managed = update({
    ...{ live: inV1.object, next: { ...inV1.object, size: '5' }, manager: 'm3', apiVersion: 'v1' },
    managed: {
      managers: new Map([
        ['a', managerIn('v2')],
        ['b', managerIn('v3')],
      ]),
      times: new Map(),
    },
    versions: {
      view: version => (version === 'v3' && !isServed ? undefined : versions.view(version)),
      convert(object, from, to) {
        isServed = false;
        return versions.convert(object, from, to);
      },
    },
    ...{ schema: readSchema('v1'), now: '2024-01-01T00:00:00Z' },
  });
  assert.deepEqual(
    [...managed.managers.values()].map(({ apiVersion }) => apiVersion),
    ['v2', 'v1'],
  );
});

test('managed fields are compared manager by manager', () => {
  const manager = (apiVersion: string, ...fields: string[]) => ({
    ...{ apiVersion, applied: true, fields: fieldSetOfPaths(fields.map(name => [`f:${name}` as const])) },
  });
  const a: FieldManagers = new Map([
    ['x', manager('v1', 'a', 'b')],
    ['y', manager('v1', 'a')],
    ['z', manager('v1', 'a')],
  ]);
  const b: FieldManagers = new Map([
    ['x', manager('v1', 'b', 'c')],
    ['y', manager('v2', 'b')],
    ['z', manager('v1', 'a')],
  ]);
  assert.ok(equalManagers(a, a));
  assert.ok(!equalManagers(a, b));
  const difference = managersDifference(a, b);
  assert.ok(
    equalManagers(
      difference,
      new Map([
        ['x', manager('v1', 'a', 'c')],
        ['y', manager('v2', 'b')],
      ]),
    ),
  );
});
