import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, ManagedFieldsEntry } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { StatusError } from '@binnacle/status-errors';
import { type ApplyResult, apply } from './apply.ts';
import { fieldSetOfPaths, listPaths } from './field-sets/field-set.ts';
import { fieldElement, pathText } from './field-sets/path-element.ts';
import { conflictError } from './managers/conflicts.ts';
import { decodeManagedFields, encodeManagedFields, noManagers } from './managers/managed-fields.ts';
import { mergeConfiguration } from './managers/merge-configuration.ts';
import { unmanagedFields } from './managers/unmanaged-fields.ts';
import { singleVersion } from './managers/versions.ts';
import { schemaFromMessage } from './schemas/message-schema.ts';
import { update } from './update.ts';

const schemas = {
  ConfigMap: schemaFromMessage(messageNamed('core.v1.ConfigMap')),
  Service: schemaFromMessage(messageNamed('core.v1.Service')),
};
type Kind = keyof typeof schemas;

/** One write by the manager `as`. */
interface Step {
  readonly as: string;
  readonly apply?: JsonObject;
  readonly force?: boolean;
  readonly update?: JsonObject;
  readonly status?: JsonObject;
  /** The expected conflicts of an apply, which then changes nothing. */
  readonly conflicts?: readonly string[];
}

interface Story {
  readonly what: string;
  readonly kind?: Kind;
  readonly steps: readonly Step[];
  /** The final object without kind, version and name. */
  readonly object?: JsonObject;
  /** `manager operation subresource: paths`, in the order of managedFields. */
  readonly managers: readonly string[];
}

const stories: Story[] = [
  {
    what: 'an apply to nothing creates, and manages what it names',
    steps: [{ as: 'm1', apply: { data: { a: '1' }, metadata: { labels: { app: 'x' } } } }],
    object: { data: { a: '1' }, metadata: { labels: { app: 'x' } } },
    managers: ['m1 Apply: .data.a .metadata.labels.app'],
  },
  {
    what: 'an empty map is managed itself',
    steps: [{ as: 'm1', apply: { data: {} } }],
    object: { data: {} },
    managers: ['m1 Apply: .data'],
  },
  {
    what: 'a change of what another manager applied conflicts',
    steps: [
      { as: 'm1', apply: { data: { a: '1', b: '1' } } },
      { as: 'm2', apply: { data: { a: '2', b: '2' } }, conflicts: ['"m1": .data.a', '"m1": .data.b'] },
    ],
    object: { data: { a: '1', b: '1' } },
    managers: ['m1 Apply: .data.a .data.b'],
  },
  {
    what: 'the same value is shared, and then neither changes it alone',
    steps: [
      { as: 'm1', apply: { data: { a: '1' } } },
      { as: 'm2', apply: { data: { a: '1' } } },
      { as: 'm1', apply: { data: { a: '2' } }, conflicts: ['"m2": .data.a'] },
      { as: 'm2', apply: { data: { a: '2' } }, conflicts: ['"m1": .data.a'] },
    ],
    // A manager that only shares values has no time, which sorts first.
    managers: ['m2 Apply: .data.a', 'm1 Apply: .data.a'],
  },
  {
    what: 'force takes a field from all others',
    steps: [
      { as: 'm1', apply: { data: { a: '1', b: '1' } } },
      { as: 'm2', apply: { data: { a: '1' } } },
      { as: 'm3', apply: { data: { a: '3' } }, force: true },
    ],
    object: { data: { a: '3', b: '1' } },
    managers: ['m1 Apply: .data.b', 'm3 Apply: .data.a'],
  },
  {
    what: 'what a manager no longer names goes, unless another manages it',
    steps: [
      { as: 'm1', apply: { data: { a: '1', b: '1' } } },
      { as: 'm2', apply: { data: { b: '1' } } },
      { as: 'm1', apply: { data: {} } },
    ],
    object: { data: { b: '1' } },
    managers: ['m2 Apply: .data.b', 'm1 Apply: .data'],
  },
  {
    what: 'what was never applied stays, without a manager when its manager gives it up',
    steps: [
      { as: 'm0', update: { data: { x: '1' } } },
      { as: 'm1', apply: { data: { a: '1' } } },
      { as: 'm1', apply: {} },
    ],
    object: { data: { x: '1' } },
    managers: ['m0 Update: .data .data.x'],
  },
  {
    what: 'an update takes fields without asking, and an apply then conflicts with it',
    steps: [
      { as: 'm1', apply: { data: { a: '1' } } },
      { as: 'm3', update: { data: { a: '9', z: '1' } } },
      { as: 'm1', apply: { data: { a: '1' } }, conflicts: ['"m3" using v1: .data.a'] },
    ],
    object: { data: { a: '9', z: '1' } },
    managers: ['m3 Update: .data.a .data.z'],
  },
  {
    what: 'update and apply of one name are two managers',
    steps: [
      { as: 'm3', update: { data: { z: '1' } } },
      { as: 'm3', apply: { data: { z: '1' } } },
      { as: 'm3', apply: {} },
    ],
    object: { data: { z: '1' } },
    managers: ['m3 Update: .data .data.z'],
  },
  {
    what: 'what an update removes has no manager',
    steps: [
      { as: 'm1', apply: { data: { a: '1', b: '1' } } },
      { as: 'm2', update: { data: { b: '1' } } },
    ],
    managers: ['m1 Apply: .data.b'],
  },
  {
    what: 'an update that changes nothing adds no manager',
    steps: [
      { as: 'm1', apply: { data: { a: '1' } } },
      { as: 'm2', update: { data: { a: '1' } } },
    ],
    managers: ['m1 Apply: .data.a'],
  },
  {
    what: 'elements of a keyed list belong to whom applied them, keys filled in',
    kind: 'Service',
    steps: [
      { as: 'm1', apply: { spec: { ports: [{ port: 80, name: 'a' }] } } },
      { as: 'm2', apply: { spec: { ports: [{ port: 81 }] } } },
      {
        as: 'm3',
        apply: { spec: { ports: [{ port: 80, protocol: 'TCP', name: 'b' }] } },
        conflicts: ['"m1": .spec.ports[port=80,protocol="TCP"].name'],
      },
      { as: 'm2', apply: { spec: { selector: { x: 'y' } } } },
    ],
    object: { spec: { ports: [{ port: 80, name: 'a' }], selector: { x: 'y' } } },
    managers: [
      'm1 Apply: .spec.ports[port=80,protocol="TCP"] .spec.ports[port=80,protocol="TCP"].name .spec.ports[port=80,protocol="TCP"].port',
      'm2 Apply: .spec.selector',
    ],
  },
  {
    what: 'an atomic map has one manager',
    kind: 'Service',
    steps: [
      { as: 'm1', apply: { spec: { selector: { a: 'b' } } } },
      { as: 'm2', apply: { spec: { selector: { c: 'd' } } }, conflicts: ['"m1": .spec.selector'] },
      { as: 'm2', apply: { spec: { selector: { c: 'd' } } }, force: true },
    ],
    object: { spec: { selector: { c: 'd' } } },
    managers: ['m2 Apply: .spec.selector'],
  },
  {
    what: 'sets unite, and each manager takes out its own',
    steps: [
      { as: 'f1', apply: { metadata: { finalizers: ['a.io/a'] } } },
      { as: 'f2', apply: { metadata: { finalizers: ['a.io/b'] } } },
      { as: 'f1', apply: {} },
    ],
    object: { metadata: { finalizers: ['a.io/b'] } },
    managers: ['f2 Apply: .metadata.finalizers[="a.io/b"]'],
  },
  {
    what: 'a subresource has managers of its own',
    kind: 'Service',
    steps: [
      { as: 'm1', apply: { spec: { type: 'ClusterIP' } } },
      {
        as: 'm1',
        status: { spec: { type: 'ClusterIP' }, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
      },
      { as: 'm1', apply: { spec: { type: 'ClusterIP' }, status: { loadBalancer: {} } } },
    ],
    managers: [
      'm1 Apply: .spec.type',
      'm1 Update status: .status .status.loadBalancer .status.loadBalancer.ingress',
    ],
  },
];

interface State {
  readonly object: JsonObject;
  readonly entries: ManagedFieldsEntry[];
}

const statusOnly = fieldSetOfPaths([['f:status']]);
const allButStatus = fieldSetOfPaths([['f:spec'], ['f:metadata']]);

function whole(kind: Kind, part: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind,
    ...part,
    metadata: { name: 'x', ...(part.metadata as JsonObject | undefined) },
  };
}

function play(state: State, step: Step, context: { kind: Kind; second: number }): State {
  const { kind, second } = context;
  const write = {
    live: state.object,
    managed: decodeManagedFields(state.entries),
    manager: step.as,
    apiVersion: 'v1',
    now: `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`,
    schema: schemas[kind],
    resetFields: step.status === undefined ? statusOnly : allButStatus,
  };
  if (step.apply !== undefined) {
    const result = apply({ ...write, applied: whole(kind, step.apply), force: step.force === true });
    return settled(result, step.conflicts, state);
  }
  const subresource = step.status === undefined ? '' : 'status';
  const next = whole(kind, step.status ?? step.update!); // A step is one of the three.
  return { object: next, entries: encodeManagedFields(update({ ...write, next, subresource })) };
}

function settled(result: ApplyResult, expected: readonly string[] | undefined, state: State): State {
  const conflicts =
    result.kind === 'conflicts' ? result.conflicts.map(c => `${c.manager}: ${c.path}`) : undefined;
  assert.deepEqual(conflicts, expected);
  if (result.kind === 'conflicts') return state;
  return { object: withoutNulls(result.object), entries: encodeManagedFields(result.managed) };
}

/** Returns the object without the nulls that type checking removes. */
function withoutNulls(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object, (_, value) => (value === null ? undefined : value)));
}

function formatManager(entry: ManagedFieldsEntry): string {
  const [manager] = decodeManagedFields([entry]).managers.values();
  const paths = [...listPaths(manager!.fields)].map(pathText).join(' '); // The entries are valid.
  return `${entry.manager} ${entry.operation}${entry.subresource ? ` ${entry.subresource}` : ''}: ${paths}`;
}

describe('managed fields after a write', () => {
  for (const { what, kind = 'ConfigMap', steps, object, managers } of stories) {
    test(what, () => {
      let state: State = { object: {}, entries: [] };
      steps.forEach((step, second) => {
        state = play(state, step, { kind, second });
      });
      if (object !== undefined) assert.deepEqual(state.object, whole(kind, object));
      assert.deepEqual(state.entries.map(formatManager), managers);
    });
  }
});

function write(live: JsonObject, managed = noManagers) {
  return {
    live,
    managed,
    manager: 'm1',
    apiVersion: 'v1',
    now: '2024-01-01T00:00:00Z',
    schema: schemas.Service,
  };
}

describe('an apply is refused', () => {
  const rows: { what: string; applied: JsonObject; message: RegExp }[] = [
    {
      what: 'of another version',
      applied: { ...whole('Service', {}), apiVersion: 'v2' },
      message: /must be of version "v1"; the version that it names is "v2"$/,
    },
    {
      what: 'with managedFields',
      applied: whole('Service', { metadata: { managedFields: [] } }),
      message: /^metadata.managedFields must be nil/,
    },
    {
      what: 'with an element twice',
      applied: whole('Service', { spec: { ports: [{ port: 80 }, { port: 80, name: 'b' }] } }),
      message:
        /^the configuration does not fit its type \(\/x; \/v1, Kind=Service\): .spec.ports: duplicate entries for key \[port=80,protocol="TCP"\]$/,
    },
    {
      what: 'with an undeclared field',
      applied: whole('Service', { spec: { bogus: 1 } }),
      message: /: .spec.bogus: field not declared in schema$/,
    },
  ];
  for (const { what, applied, message } of rows) {
    test(what, () => {
      assert.throws(
        () => apply({ ...write({}), applied }),
        error => {
          assert.ok(error instanceof StatusError);
          assert.equal(error.code, 400);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});

test('a tracked object has no manager for fields that no request named', () => {
  const live = whole('Service', { spec: { type: 'ClusterIP' } });
  const applied = whole('Service', { spec: { type: 'NodePort' } });
  const result = apply({ ...write(live), applied, tracked: true });
  assert.ok(result.kind === 'applied');
  assert.deepEqual(encodeManagedFields(result.managed).map(formatManager), ['m1 Apply: .spec.type']);
});

test('the manager of the other fields of an object without managers is before-first-apply', () => {
  const live = whole('Service', { spec: { type: 'ClusterIP', externalName: 'a' } });
  const applied = whole('Service', { spec: { type: 'NodePort' } });
  const refused = apply({ ...write(live), applied });
  assert.deepEqual(refused, {
    kind: 'conflicts',
    conflicts: [{ manager: '"before-first-apply" using v1', path: '.spec.type' }],
  });
  const forced = apply({ ...write(live), applied, force: true });
  assert.ok(forced.kind === 'applied');
  assert.deepEqual(encodeManagedFields(forced.managed).map(formatManager), [
    'm1 Apply: .spec.type',
    'before-first-apply Update: .spec .spec.externalName',
  ]);
});

test('the time of a manager changes only when its write changes a value', () => {
  const at = (second: number) => `2024-01-01T00:00:0${second}Z`;
  const applied = whole('Service', { spec: { type: 'NodePort' } });
  const first = apply({ ...write({}), applied, now: at(1) });
  assert.ok(first.kind === 'applied');
  const repeated = apply({ ...write(first.object, first.managed), applied, now: at(2) });
  assert.ok(repeated.kind === 'applied');
  assert.deepEqual([...repeated.managed.times.values()], [at(1)]);
  const shared = apply({ ...write(repeated.object, repeated.managed), applied, manager: 'm2', now: at(3) });
  assert.ok(shared.kind === 'applied');
  assert.deepEqual([...shared.managed.times.values()], [at(1)], 'one that shares has no time');
  const next = { ...shared.object, spec: { type: 'NodePort', externalName: 'b' } };
  const updated = update({ ...write(shared.object, shared.managed), next, manager: 'm3', now: at(4) });
  assert.deepEqual([...updated.times.values()], [at(1), at(4)]);
  const more = whole('Service', { spec: { type: 'NodePort', clusterIP: 'None' } });
  const grown = apply({ ...write(next, updated), applied: more, manager: 'm2', now: at(5) });
  assert.ok(grown.kind === 'applied');
  assert.deepEqual([...grown.managed.times.values()], [at(1), at(4), at(5)]);
  // Fields that the other manager also has are kept, so that no value changes.
  const fewer = apply({ ...write(grown.object, grown.managed), applied: more, manager: 'm', now: at(6) });
  assert.ok(fewer.kind === 'applied');
  const given = apply({ ...write(fewer.object, fewer.managed), applied, manager: 'm', now: at(7) });
  assert.ok(given.kind === 'applied');
  assert.deepEqual([...given.managed.times.values()].sort(), [at(1), at(4), at(5)]);
});

test('the result shares nothing with the applied configuration', () => {
  const applied = whole('Service', { spec: { selector: { a: 'b' } } });
  const result = apply({ ...write({}), applied });
  assert.ok(result.kind === 'applied');
  (result.object.spec as JsonObject).selector = null;
  assert.deepEqual(applied, whole('Service', { spec: { selector: { a: 'b' } } }));
});

test('a very deeply nested object is refused without recursion', () => {
  let deep: JsonObject = {};
  for (let i = 0; i < 100_000; i++) deep = { a: deep };
  assert.throws(() => apply({ ...write({}), applied: whole('Service', { spec: deep }) }), /levels deep/);
  assert.throws(() => update({ ...write({}), next: deep }), /levels deep/);
});

test('an apply with the same field set keeps the set object', () => {
  const fields = fieldSetOfPaths([[fieldElement('data'), fieldElement('a')]]);
  const managers = new Map([['m1', { apiVersion: 'v1', applied: true, fields }]]);
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '2' } };
  const live = { ...applied, data: { a: '1', b: '1' } };
  const { ConfigMap: schema } = schemas;
  const versions = singleVersion('v1', { schema });
  const how = {
    live,
    managers,
    manager: 'm1',
    apiVersion: 'v1',
    versions,
    force: false,
    unmanaged: unmanagedFields,
  };
  const same = mergeConfiguration({ ...how, applied });
  assert.equal(same.managers.get('m1')?.fields, fields);
  assert.deepEqual(same.object, { ...applied, data: { a: '2', b: '1' } });
  const other = mergeConfiguration({ ...how, applied: { ...applied, data: { b: '2' } } });
  assert.deepEqual(
    [...listPaths(other.managers.get('m1')?.fields ?? fields)].map(pathText),
    ['.data.b'],
    'and what it no longer names goes',
  );
  assert.deepEqual(other.object, { ...applied, data: { b: '2' } });
});

test('conflicts become one error with one cause each', () => {
  const one = conflictError([{ manager: '"m1"', path: '.data.a' }]);
  assert.equal(one.message, 'Apply failed with 1 conflict: conflict with "m1": .data.a');
  const conflicts = [
    { manager: '"m1"', path: '.spec.amap' },
    { manager: '"m1"', path: '.spec.atomic' },
    { manager: '"m3" using v1', path: '.spec.x' },
  ];
  assert.deepEqual(conflictError(conflicts).toStatus(), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'Apply failed with 3 conflicts: conflicts with "m1":\n- .spec.amap\n- .spec.atomic\nconflicts with "m3" using v1:\n- .spec.x',
    reason: 'Conflict',
    details: {
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.amap' },
        { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.atomic' },
        { reason: 'FieldManagerConflict', message: 'conflict with "m3" using v1', field: '.spec.x' },
      ],
    },
    code: 409,
  });
});

test('identity fields and fields that only the server sets have no manager', () => {
  const identity = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 't', uid: 'u' } };
  const entriesAfter = (applied: JsonObject) => {
    const result = apply({
      ...{ live: identity, applied, managed: noManagers, manager: 'm1', apiVersion: 'v1' },
      ...{ schema: schemas.ConfigMap, tracked: true, now: '2024-01-01T00:00:00Z' },
    });
    assert.equal(result.kind, 'applied');
    return result.kind === 'applied' ? encodeManagedFields(result.managed) : [];
  };
  assert.deepEqual(
    entriesAfter({ ...identity, data: { a: '1' } }).map(({ fieldsV1 }) => fieldsV1),
    [{ 'f:data': { 'f:a': {} } }],
  );
  assert.deepEqual(entriesAfter(identity), []);
});
