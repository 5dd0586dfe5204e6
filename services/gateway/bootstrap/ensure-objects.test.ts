import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotations, understood } from '@binnacle/api-names';
import { type ApiObject, copyJson, type JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry, validateObject } from '@binnacle/api-types';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { changeTo, newObject } from './ensure-objects.ts';

const registry = createTypeRegistry();
const group = 'rbac.authorization.cluster.io';

/** A default object, and as it is once it has been created. */
function defaultObject(resource: string, name: string) {
  const object = bootstrapObjects(registry).find(other => other.resource === resource && other.name === name);
  assert.ok(object);
  const definition = registry.resource(object.group, object.version, object.resource);
  assert.ok(definition);
  return { object, created: newObject(object, definition, 0) };
}

for (const object of bootstrapObjects(registry)) {
  test(`${object.resource} ${object.name} is valid by the rules of its kind`, () => {
    const definition = registry.resource(object.group, object.version, object.resource);
    assert.ok(definition);
    assert.deepEqual(validateObject(definition, newObject(object, definition, 0)), []);
  });
}

test('the system priority classes exist from the start', () => {
  for (const [name, value] of [
    ['system-cluster-critical', 2_000_000_000],
    ['system-node-critical', 2_000_001_000],
  ] as const) {
    const { created } = defaultObject('priorityclasses', name);
    assert.deepEqual(
      [created['value'], created['preemptionPolicy'], created.metadata.generation],
      [value, 'PreemptLowerPriority', 1],
    );
  }
});

const ownRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const ownSubject = { kind: 'User', apiGroup: group, name: 'bob' };
const ownSelector = { matchLabels: { own: 'true' } };
const others = { matchLabels: { [`${group}/aggregate-to-view`]: 'true' } };
const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

interface Case {
  readonly what: string;
  readonly of: readonly [resource: string, name: string];
  /** The fields in which the existing object differs from the one that was created. */
  readonly fields: JsonObject;
  /** Fields of the object that is written; undefined: nothing is written. */
  readonly written: (created: ApiObject) => JsonObject | undefined;
}

const basicUser = ['clusterroles', 'system:basic-user'] as const;
const listField = (object: ApiObject, field: string) => [object[field] ?? []].flat();
const cases: Case[] = [
  { what: 'an object as it was created', of: basicUser, fields: {}, written: () => undefined },
  {
    what: 'rules that are lacking are added, others stay',
    of: basicUser,
    fields: { rules: [ownRule] },
    written: created => ({ rules: [ownRule, ...listField(created, 'rules')] }),
  },
  {
    what: 'rules that include the default ones are enough',
    of: basicUser,
    fields: { rules: [everything] },
    written: () => undefined,
  },
  {
    what: 'subjects that are lacking are added, others stay',
    of: ['clusterrolebindings', 'system:basic-user'],
    fields: { subjects: [ownSubject] },
    written: created => ({ subjects: [ownSubject, ...listField(created, 'subjects')] }),
  },
  {
    what: 'the rules of an aggregated role are left to its controller',
    of: ['clusterroles', 'view'],
    fields: { rules: [] },
    written: () => undefined,
  },
  {
    what: 'selectors that are lacking are added to an aggregation, others stay',
    of: ['clusterroles', 'view'],
    fields: { aggregationRule: { clusterRoleSelectors: [ownSelector] } },
    written: () => ({ aggregationRule: { clusterRoleSelectors: [ownSelector, others] } }),
  },
  {
    what: 'a role becomes an aggregated one',
    of: ['clusterroles', 'view'],
    fields: { aggregationRule: null },
    written: created => ({ aggregationRule: created['aggregationRule'] ?? null }),
  },
];
for (const { what, of, fields, written } of cases) {
  test(`${what} (${of.join(' ')})`, () => {
    const { object, created } = defaultObject(...of);
    const existing = { ...(copyJson(created) as ApiObject), ...fields };
    const change = changeTo(existing, object);
    const expected = written(created);
    if (expected === undefined) return assert.equal(change.kind, 'none');
    assert.ok(change.kind === 'update');
    assert.deepEqual(change.object, { ...created, ...expected });
    assert.equal(changeTo(change.object, object).kind, 'none');
  });
}

/** A rule that edit had, with endpoints among what may be written. */
const writeContent = {
  verbs: ['create', 'delete', 'deletecollection', 'patch', 'update'],
  apiGroups: [''],
  resources: [
    'configmaps',
    'endpoints',
    'persistentvolumeclaims',
    'pods',
    'replicationcontrollers',
    'serviceaccounts',
    'services',
    'events',
  ],
};
for (const name of ['system:aggregate-to-edit', 'edit', 'admin'])
  test(`${name} loses the right to write endpoints, and keeps rules of administrators`, () => {
    const { object, created } = defaultObject('clusterroles', name);
    const own = { ...writeContent, resources: ['endpoints'] };
    const existing = { ...created, rules: [own, writeContent, ...listField(created, 'rules')] } as ApiObject; // JSON.
    const change = changeTo(existing, object);
    assert.ok(change.kind === 'update');
    assert.deepEqual(change.object['rules'], [own, ...listField(created, 'rules')]);
    assert.equal(changeTo(change.object, object).kind, 'none');
  });

for (const name of ['system:aggregate-to-edit', 'edit', 'admin'])
  test(`${name} gets the current rules instead of a withdrawn one`, () => {
    const { object, created } = defaultObject('clusterroles', name);
    const change = changeTo({ ...created, rules: [writeContent] }, object);
    assert.ok(change.kind === 'update');
    assert.deepEqual(change.object['rules'], created['rules']);
  });

test('a rule for a type exists while the type is served', () => {
  const listRules = (runtimeConfig: string) =>
    bootstrapObjects(createTypeRegistry({ runtimeConfig })).find(({ name }) => name === 'system:basic-user')
      ?.content['rules'];
  const served = listRules('authentication.cluster.io/v1alpha1=true');
  assert.match(JSON.stringify(served), /"selfsubjectreviews"/);
  assert.doesNotMatch(JSON.stringify(listRules('')), /"selfsubjectreviews"/);
});

test('missing labels and annotations are added, and other values are kept', () => {
  const { object, created } = defaultObject('clusterroles', 'view');
  const metadata = {
    ...created.metadata,
    labels: { 'cluster.io/bootstrapping': 'mine', own: 'x' },
    annotations: {},
  };
  const change = changeTo({ ...created, metadata }, object);
  assert.ok(change.kind === 'update');
  assert.deepEqual(change.object.metadata.labels, {
    'cluster.io/bootstrapping': 'mine',
    own: 'x',
    [`${group}/aggregate-to-edit`]: 'true',
  });
  assert.deepEqual(change.object.metadata.annotations, created.metadata.annotations);
});

test('a binding to another role is recreated', () => {
  const { object, created } = defaultObject('clusterrolebindings', 'system:basic-user');
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
  assert.equal(changeTo({ ...created, roleRef }, object).kind, 'replace');
});

test('an object that opts out of updates is not changed', () => {
  const { object, created } = defaultObject('clusterrolebindings', 'system:basic-user');
  const metadata = { ...created.metadata, annotations: { [annotations.rbacAutoupdate]: 'false' } };
  assert.equal(changeTo({ ...created, metadata, subjects: [], roleRef: {} }, object).kind, 'none');
});

for (const apiGroup of understood.groups.rbac)
  test(`a binding with the group ${apiGroup} is complete`, () => {
    const { object, created } = defaultObject('clusterrolebindings', 'system:basic-user');
    const named = (reference: object) => ({ ...reference, apiGroup });
    const existing = {
      ...created,
      roleRef: named(created['roleRef'] as object), // A binding has one.
      subjects: listField(created, 'subjects').map(subject => named(subject as object)), // Objects.
    };
    assert.equal(changeTo(existing, object).kind, 'none');
  });

for (const group of understood.groups.authorization)
  test(`a role with rules for the group ${group} is complete`, () => {
    const { object, created } = defaultObject(...basicUser);
    const rules = listField(created, 'rules').map(rule => ({ ...(rule as object), apiGroups: [group] })); // Objects.
    assert.equal(changeTo({ ...created, rules }, object).kind, 'none');
  });

for (const annotation of understood.annotations.rbacAutoupdate)
  test(`an object opts out of updates by ${annotation}`, () => {
    const { object, created } = defaultObject(...basicUser);
    const metadata = { ...created.metadata, annotations: { [annotation]: 'false' } };
    assert.equal(changeTo({ ...created, metadata, rules: [] }, object).kind, 'none');
  });
