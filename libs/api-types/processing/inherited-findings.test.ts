import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ApiObject,
  duplicateField,
  type FieldError,
  invalidField,
  type JsonValue,
  type ObjectMeta,
  requiredField,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { findDefinition } from '../test-drivers/process.ts';
import { withDefaultsOfNow, withoutInherited } from './inherited-findings.ts';

const builtIn = findDefinition('configmaps');
const custom: ResourceDefinition = {
  ...builtIn,
  message: { ...builtIn.message, structure: { schema: {}, prune: () => undefined } },
};

interface Roots {
  readonly metadata?: ObjectMeta;
  readonly spec?: JsonValue;
  readonly status?: JsonValue;
}

function createObject({ metadata = {}, ...roots }: Roots): ApiObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', ...metadata }, ...roots };
}

interface Row {
  readonly what: string;
  readonly object: Roots;
  readonly old: Roots;
  readonly found: readonly FieldError[];
  readonly before: readonly FieldError[];
  /** The fields of the remaining errors, for a built-in kind and for one with a schema. */
  readonly counted: readonly string[];
  readonly countedOfSchema?: readonly string[];
}

const wrongSpec = invalidField('spec.a', 1, 'is wrong');
const wrongStatus = invalidField('status.a', 1, 'is wrong');
const wrongLabel = invalidField('metadata.labels', 'x', 'is wrong');
const deleted = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };

const rows: readonly Row[] = [
  {
    what: 'metadata changes: content of a schema is not judged, other content for what it had not',
    object: { metadata: { labels: { a: 'b' } }, spec: 1 },
    old: { spec: 1 },
    found: [wrongSpec, invalidField('<nil>', 'object', 'is wrong'), requiredField('spec.b')],
    before: [requiredField('spec.b')],
    counted: ['spec.a', '<nil>'],
    countedOfSchema: [],
  },
  {
    what: 'metadata changes: what was wrong with it stays, what becomes wrong counts',
    object: {},
    old: {},
    found: [wrongLabel, invalidField('metadata.labels', 'y', 'is wrong')],
    before: [wrongLabel],
    counted: ['metadata.labels'],
  },
  {
    what: 'the specification changes: it is judged as a whole',
    object: { spec: 2 },
    old: { spec: 1 },
    found: [wrongSpec, wrongLabel],
    before: [wrongSpec, wrongLabel],
    counted: ['spec.a'],
  },
  {
    what: 'the specification changes: rules about the whole object count',
    object: { spec: 2 },
    old: { spec: 1 },
    found: [requiredField('<nil>')],
    before: [requiredField('<nil>')],
    counted: ['<nil>'],
  },
  {
    what: 'a part that stays breaks a rule because of another one',
    object: { spec: 1, status: 2 },
    old: { spec: 1, status: 1 },
    found: [wrongSpec],
    before: [],
    counted: ['spec.a'],
    countedOfSchema: [],
  },
  {
    what: 'the status changes: what it had stays',
    object: { status: 2, spec: 1 },
    old: { status: 1, spec: 1 },
    found: [wrongSpec, wrongStatus, requiredField('status.b'), requiredField('<nil>')],
    before: [wrongStatus, wrongSpec, requiredField('<nil>')],
    counted: ['status.b'],
  },
  {
    what: 'the status changes: items may move, and count once each',
    object: { status: 2 },
    old: { status: 1 },
    found: [
      invalidField('status.a[1].b', 1, 'status.a[1].b is wrong'),
      invalidField('status.a[2].b', 1, 'status.a[2].b is wrong'),
    ],
    before: [invalidField('status.a[0].b', 1, 'status.a[0].b is wrong')],
    counted: ['status.a[2].b'],
  },
  {
    what: 'the status changes: another wrong value counts',
    object: { status: 2 },
    old: { status: 1 },
    found: [invalidField('status.a', { b: 2 }, 'is wrong')],
    before: [invalidField('status.a', { b: 1 }, 'is wrong')],
    counted: ['status.a'],
  },
  {
    what: 'an object that is being deleted changes: what it had stays',
    object: { ...deleted, spec: 2 },
    old: { ...deleted, spec: 1 },
    found: [wrongSpec, requiredField('spec.b')],
    before: [wrongSpec],
    counted: ['spec.b'],
  },
  {
    what: 'sets and maps: no repeated item counts where one was before',
    object: { spec: 2 },
    old: { spec: 1 },
    found: [duplicateField('spec.a[1]', 'x'), duplicateField('spec.b[1]', 'x'), wrongSpec],
    before: [duplicateField('spec.a[1]', 'y')],
    counted: ['spec.a[1]', 'spec.b[1]', 'spec.a'],
    countedOfSchema: ['spec.a'],
  },
];

describe('errors that the stored object already has', () => {
  for (const { what, object, old, found, before, counted, countedOfSchema = counted } of rows)
    test(what, () => {
      const left = (definition: ResourceDefinition) =>
        withoutInherited(found, {
          definition,
          object: createObject(object),
          old: createObject(old),
          findOld: () => before,
        }).map(({ field }) => field);
      assert.deepEqual(left(builtIn), counted);
      assert.deepEqual(left(custom), countedOfSchema);
    });

  test('an update without errors does not validate the old object', () => {
    const findOld = () => assert.fail();
    const update = { definition: custom, object: createObject({}), old: createObject({ spec: 1 }), findOld };
    assert.deepEqual(withoutInherited([], update), []);
  });
});

test('a large value in many errors is formatted once', () => {
  let written = 0;
  const large = () => ({ toJSON: () => ({ number: ++written && 1 }) });
  const findings = (value: object) =>
    Array.from({ length: 1000 }, (_, i) => invalidField('status', value, `${i} is forbidden`));
  const left = withoutInherited(findings(large()), {
    definition: builtIn,
    object: createObject({ status: 2 }),
    old: createObject({ status: 1 }),
    findOld: () => findings(large()),
  });
  assert.deepEqual(left, []);
  assert.equal(written, 2);
});

test('a stored object is compared after it got the current defaults', () => {
  const pod: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  const definition = findDefinition('pods');
  const completed = withDefaultsOfNow(definition, pod);
  assert.equal(completed['spec'] instanceof Object && 'restartPolicy' in completed['spec'], true);
  assert.deepEqual(pod['spec'], { containers: [{ name: 'c', image: 'i' }] });
  assert.equal(withDefaultsOfNow(definition, completed), completed);
});
