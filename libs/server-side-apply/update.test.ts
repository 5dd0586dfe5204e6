import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { copyJson, isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { fieldSetOfPaths } from './field-sets/field-set.ts';
import { fieldElement } from './field-sets/path-element.ts';
import { encodeManagedFields, type ManagedFields, noManagers } from './managers/managed-fields.ts';
import { managerIdFromIdentity } from './managers/manager-id.ts';
import type { Versions } from './managers/versions.ts';
import type { TypedSchema } from './schemas/typed-schema.ts';
import { createRandom, frozen, type Random, randomObject } from './test-drivers/random-objects.ts';
import { createMapSchema, everything, struct, text } from './test-drivers/schema-of-everything.ts';
import { update } from './update.ts';

const seeds = Array.from({ length: 300 }, (_, i) => i + 1);
const resetFields = fieldSetOfPaths([[fieldElement('spec'), fieldElement('replicas')]]);

/** Adds a manager of an unknown version: recording drops it and does not use the shortcut. */
function withUnknownVersion({ managers, times }: ManagedFields): ManagedFields {
  const fields = fieldSetOfPaths([[fieldElement('spec')]]);
  const id = managerIdFromIdentity({
    manager: 'gone',
    operation: 'Update',
    apiVersion: 'v0',
    subresource: '',
  });
  return { managers: new Map([...managers, [id, { apiVersion: 'v0', applied: false, fields }]]), times };
}

/** Returns the object with other values in random leaves; no field is added or removed. */
function withOtherValues(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withOtherValues(member, random)]),
    );
  if (random(2) === 0) return value;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'string' ? `${value}x` : value;
}

/** Returns an object with the fields that the server sets and clients omit. */
function asStored(object: JsonObject, version: number): JsonObject {
  const metadata = { ...(object['metadata'] as JsonObject), uid: 'u', resourceVersion: String(version) };
  return { ...object, metadata };
}

interface Step {
  readonly manager: string;
  readonly next: JsonObject;
}

/** Returns consecutive objects, each written by one of two managers. */
function stepsFrom(random: Random): Step[] {
  const steps: Step[] = [];
  let object: JsonObject = randomObject(random);
  for (let i = 0; i < 6; i++) {
    steps.push({ manager: random(4) === 0 ? 'other' : 'one', next: frozen(copyJson(object)) });
    object = random(3) === 0 ? randomObject(random) : (withOtherValues(object, random) as JsonObject); // Of an object.
  }
  return steps;
}

describe('an update on the fast path is recorded as on the general path', () => {
  for (const resets of [undefined, resetFields])
    test(resets === undefined ? 'with all fields' : 'with fields that it cannot set', () => {
      let plain = 0;
      for (const seed of seeds) {
        let live: JsonObject = {};
        let managed = noManagers;
        for (const [second, { manager, next }] of stepsFrom(createRandom(seed)).entries()) {
          const write = {
            live,
            next,
            manager,
            apiVersion: 'v1',
            schema: everything,
            now: `2024-01-01T00:00:0${second}Z`,
            ...(resets && { resetFields: resets }),
          };
          const recorded = update({ ...write, managed });
          const reference = update({ ...write, managed: withUnknownVersion(managed) });
          assert.deepEqual(
            encodeManagedFields(recorded),
            encodeManagedFields(reference),
            `seed ${seed}, step ${second}`,
          );
          if (second > 0 && recorded.managers === managed.managers) plain++;
          live = asStored(next, second);
          managed = recorded;
        }
      }
      assert.ok(plain > seeds.length / 4, `${plain} plain updates`);
    });
});

test('a field set of an earlier schema is adapted to the current one, even by a small write', () => {
  const write = (
    live: JsonObject,
    next: JsonObject,
    managed: ManagedFields,
    mapType: 'granular' | 'atomic',
  ) =>
    update({
      ...{ live, next, managed, manager: 'one', apiVersion: 'v1', now: '2024-01-01T00:00:00Z' },
      schema: struct({ data: createMapSchema(text, mapType) }),
    });
  const before = { data: { a: '1' } };
  const managed = write({}, before, noManagers, 'granular');
  const fieldsAfter = (next: JsonObject) =>
    encodeManagedFields(write(before, next, managed, 'atomic')).map(({ fieldsV1 }) => fieldsV1);
  assert.deepEqual(fieldsAfter({ data: { a: '2' } }), [{ 'f:data': {} }]);
  assert.deepEqual(fieldsAfter(before), [{ 'f:data': {} }]);
});

test('objects that are created with the same fields share the record of them', () => {
  const schema = struct({ data: createMapSchema(text), status: struct({ phase: text }) });
  const reset = fieldSetOfPaths([[fieldElement('status')]]);
  const create = (next: JsonObject, fields = resetFields) => {
    const write = { live: {}, next, managed: noManagers, manager: 'one', apiVersion: 'v1', schema };
    return encodeManagedFields(update({ ...write, now: '2024-01-01T00:00:00Z', resetFields: fields }))[0]
      ?.fieldsV1;
  };
  const object = (value: string) => ({ data: { a: value }, status: { phase: value } });
  const first = create(object('1'));
  assert.deepEqual(first, {
    'f:data': { '.': {}, 'f:a': {} },
    'f:status': { '.': {}, 'f:phase': {} },
  });
  assert.equal(create(object('2')), first);
  assert.deepEqual(create(object('3'), reset), { 'f:data': { '.': {}, 'f:a': {} } });
  for (const name of ['b', 'c', 'd', 'e']) create({ data: { [name]: '1' } });
  assert.deepEqual(create(object('4')), first);
});

test('a field that a manager changes in one version is no longer managed in another', () => {
  const schemas: Readonly<Record<string, TypedSchema>> = {
    v1: struct({ size: text, data: text }),
    v2: struct({ replicas: text, data: text }),
  };
  const versions: Versions = {
    view: version => (version in schemas ? { schema: schemas[version]! } : undefined), // Checked above.
    convert(object, from, to) {
      const { size, replicas, ...rest } = object as JsonObject; // Only whole objects are converted.
      const number = size ?? replicas;
      return from === to || number === undefined
        ? object
        : { [to === 'v1' ? 'size' : 'replicas']: number, ...rest };
    },
  };
  const createManager = (
    name: string,
    operation: 'Update' | 'Apply',
    apiVersion: string,
    ...names: string[]
  ) =>
    [
      managerIdFromIdentity({ manager: name, operation, apiVersion, subresource: '' }),
      {
        ...{ apiVersion, applied: operation === 'Apply' },
        fields: fieldSetOfPaths(names.map(field => [fieldElement(field)])),
      },
    ] as const;
  const managers = new Map([
    createManager('one', 'Update', 'v2', 'replicas', 'data'),
    createManager('two', 'Apply', 'v1', 'size', 'data'),
  ]);
  const after = update({
    ...{ live: { replicas: '1', data: 'x' }, next: { replicas: '2', data: 'x' } },
    ...{ managed: { managers, times: new Map() }, now: '2024-01-01T00:00:00Z' },
    ...{ manager: 'one', apiVersion: 'v2', versions, schema: schemas['v2']! }, // Defined above.
  });
  assert.deepEqual(
    encodeManagedFields(after).map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
    [
      ['two', { 'f:data': {} }],
      ['one', { 'f:data': {}, 'f:replicas': {} }],
    ],
  );
});
