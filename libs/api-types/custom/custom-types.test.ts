import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '../registry/registry.ts';
import { customDefinitionFrom } from './custom-definition.ts';
import { customTypesFrom } from './custom-types.ts';
import { createLiveTypeRegistry } from './live-registry.ts';

const text = { type: 'string' };

function definitionObject(facts: {
  readonly names?: JsonObject;
  readonly group?: string;
  readonly versions?: readonly JsonObject[];
  readonly conditions?: readonly string[];
  readonly conversion?: string;
}): ApiObject {
  const { group = 'ex.com', conditions = ['Established'] } = facts;
  const names = {
    plural: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    listKind: 'WidgetList',
    ...facts.names,
  };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
  };
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names,
      versions: [...(facts.versions ?? [version])],
      conversion: { strategy: facts.conversion ?? 'None' },
    },
    status: {
      acceptedNames: names,
      conditions: conditions.map(type => ({ type, status: 'True' })),
    },
  };
}

const createTypes = (facts: Parameters<typeof definitionObject>[0]) =>
  customTypesFrom(customDefinitionFrom(definitionObject(facts)));

function version(name: string, more: JsonObject = {}): JsonObject {
  return { name, served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } }, ...more };
}

test('every served version is a type, and the stored one is the storage of the others', () => {
  const types = createTypes({
    versions: [version('v1beta1'), version('v1', { storage: true }), version('v2', { served: false })],
  });
  assert.deepEqual(
    types.map(type => [type.version, type.storage?.version, type.storagePrefix]),
    [
      ['v1', undefined, '/ex.com/widgets/'],
      ['v1beta1', 'v1', '/ex.com/widgets/'],
    ],
  );
  assert.equal(types[1]?.storage, types[0]);
});

test('a definition that is not established has no types', () => {
  assert.deepEqual(createTypes({ conditions: ['NamesAccepted'] }), []);
});

test('a terminating definition does not serve creations', () => {
  const [type] = createTypes({ conditions: ['Established', 'Terminating'] });
  assert.ok(type && !type.verbs.includes('create') && type.verbs.includes('update'));
});

const refused: [what: string, facts: Parameters<typeof definitionObject>[0], why: RegExp][] = [
  ['an unknown way to convert', { conversion: 'Magic' }, /conversion strategy Magic/],
  ['the name of a built-in resource', { group: 'coordination.cluster.io' }, /built-in/],
  ['a built-in group', { group: 'apps' }, /built-in/],
  ['the alias of a built-in group', { group: 'networking.k8s.io' }, /built-in/],
];
for (const [what, facts, why] of refused)
  test(`${what}: refused by name`, () => assert.throws(() => createTypes(facts), why));

const deprecations: [what: string, versions: JsonObject[], expected: string | undefined][] = [
  ['one that is not deprecated', [version('v1', { storage: true })], undefined],
  [
    'one that is, with a better one',
    [version('v1alpha1', { deprecated: true }), version('v1', { storage: true })],
    'ex.com/v1alpha1 Widget is deprecated; use ex.com/v1 Widget',
  ],
  [
    'one that is, without a better one',
    [version('v1', { storage: true, deprecated: true }), version('v1beta1')],
    'ex.com/v1 Widget is deprecated',
  ],
  [
    'one with a warning of its own',
    [version('v1', { storage: true, deprecated: true, deprecationWarning: 'mind the gap' })],
    'mind the gap',
  ],
];
for (const [what, versions, expected] of deprecations)
  test(`the warning of a version: ${what}`, () => {
    const [first] = versions;
    const type = createTypes({ versions }).find(one => one.version === first?.['name']);
    assert.equal(type?.deprecation, expected);
  });

test('the storage tag changes with the schema and the version, and with nothing else', () => {
  const findTag = (more: JsonObject, name = 'v1') => {
    const [type] = createTypes({ versions: [version(name, { storage: true, ...more })] });
    return type?.rules.migration?.tag.toString('hex');
  };
  const plain = findTag({});
  assert.equal(plain?.length, 16);
  assert.equal(findTag({ deprecated: true }), plain);
  assert.notEqual(
    findTag({ schema: { openAPIV3Schema: { type: 'object', properties: { a: text } } } }),
    plain,
  );
  assert.notEqual(findTag({}, 'v2'), plain);
});

test('types can be added to and removed from a registry, after the built-in ones', () => {
  const registry = createLiveTypeRegistry(createTypeRegistry());
  const { current } = registry;
  assert.equal(current, registry.builtIn);
  registry.put('widgets.ex.com', createTypes({}));
  assert.equal(registry.resource('ex.com', 'v1', 'widgets')?.kind, 'Widget');
  assert.equal(registry.kind('ex.com', 'v1', 'Widget')?.resource, 'widgets');
  assert.deepEqual(registry.groups().at(-1), { group: 'ex.com', versions: ['v1'], preferredVersion: 'v1' });
  assert.deepEqual(registry.addedGroups(), ['ex.com']);
  assert.equal(registry.message('com.ex.v1.WidgetList')?.fields.get('items')?.type.kind, 'list');
  assert.equal(registry.resources.length, current.resources.length + 1);
  const added = registry.addedTo('ex.com');
  registry.put(
    'gadgets.other.com',
    createTypes({ group: 'other.com', names: { plural: 'gadgets', kind: 'Gadget' } }),
  );
  assert.equal(registry.addedTo('ex.com'), added, 'a group changes with its own types alone');
  registry.put('widgets.ex.com', []);
  registry.put('gadgets.other.com', []);
  assert.equal(registry.resource('ex.com', 'v1', 'widgets'), undefined);
  assert.equal(registry.current.resources, current.resources);
});

const ofCluster = { skip: vocabulary !== 'cluster' && 'aliases are of the vocabulary cluster' };

test('a group whose name is an alias in another vocabulary is found under that name only', ofCluster, () => {
  const registry = createLiveTypeRegistry(createTypeRegistry());
  assert.equal(registry.canonicalGroup('sea.k8s.io'), 'sea.cluster.io');
  registry.put('widgets.sea.k8s.io', createTypes({ group: 'sea.k8s.io' }));
  assert.equal(registry.canonicalGroup('sea.k8s.io'), 'sea.k8s.io');
});

test('a built-in type wins over an added one of the same name or kind', () => {
  const builtIn = createTypeRegistry();
  const registry = createLiveTypeRegistry(builtIn);
  const [type] = createTypes({ group: 'sea.k8s.io' });
  assert.ok(type);
  const group = 'networking.cluster.io';
  for (const names of [
    { resource: 'ingresses', kind: 'Other' },
    { resource: 'others', kind: 'Ingress' },
  ]) {
    registry.put('shadow', [{ ...type, ...names, group, version: 'v1' }]);
    for (const view of [registry, registry.current]) {
      assert.equal(view.resource(group, 'v1', 'ingresses'), builtIn.resource(group, 'v1', 'ingresses'));
      assert.equal(view.kind(group, 'v1', 'Ingress'), builtIn.kind(group, 'v1', 'Ingress'));
    }
    assert.equal(registry.resources.length, builtIn.resources.length);
  }
});

test('the alias of a built-in group is kept, whatever types are added', ofCluster, () => {
  const group = 'networking.k8s.io';
  const [type] = createTypes({ group: 'sea.k8s.io' });
  assert.ok(type);
  for (const runtimeConfig of ['', 'networking.cluster.io/v1=false']) {
    const registry = createLiveTypeRegistry(createTypeRegistry({ runtimeConfig }));
    registry.put('ingresses.networking.k8s.io', [{ ...type, group, resource: 'ingresses', kind: 'Ingress' }]);
    assert.equal(registry.canonicalGroup(group), 'networking.cluster.io');
  }
});
