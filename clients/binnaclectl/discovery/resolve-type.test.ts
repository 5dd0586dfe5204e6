import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveType, resolveTypes } from './resolve-type.ts';
import { formatGroupVersion, type ResourceType, resourcePath, singularName } from './resource-type.ts';

const declared: [groupVersion: string, resource: string, kind: string, shortNames: string[]][] = [
  ['v1', 'pods', 'Pod', ['po']],
  ['v1', 'events', 'Event', ['ev']],
  ['apps/v1', 'deployments', 'Deployment', ['deploy']],
  ['apps/v1beta1', 'deployments', 'Deployment', ['deploy']],
  ['events.cluster.io/v1', 'events', 'Event', ['ev']],
  ['metrics.cluster.io/v1', 'pods', 'PodMetrics', []],
  ['shop.example.com/v1', 'po', 'Order', []],
];

const types: ResourceType[] = declared.map(([groupVersion, resource, kind, shortNames]) => {
  const [group, version] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  return {
    group: group ?? '',
    version: version ?? '',
    resource,
    kind,
    shortNames,
    singular: kind.toLowerCase(),
    namespaced: true,
    verbs: ['list'],
    categories: resource === 'pods' || kind === 'Deployment' ? ['all'] : [],
  };
});

const discovery = {
  served: async () => ({ types, failure: undefined }),
  nameOf: async () => '',
  forget() {},
};

const cases: [name: string, found: string][] = [
  ['pods', 'v1 pods'],
  ['pod', 'v1 pods'],
  ['Pod', 'v1 pods'],
  ['PODS', 'v1 pods'],
  ['podmetrics', 'metrics.cluster.io/v1 pods'],
  ['po', 'shop.example.com/v1 po'],
  ['events', 'v1 events'],
  ['ev', 'v1 events'],
  ['events.events.cluster.io', 'events.cluster.io/v1 events'],
  ['events.events', 'events.cluster.io/v1 events'],
  ['events.v1.events.cluster.io', 'events.cluster.io/v1 events'],
  ['deploy', 'apps/v1 deployments'],
  ['deployments.apps', 'apps/v1 deployments'],
  ['deployment.v1beta1.apps', 'apps/v1beta1 deployments'],
  ['pods.metrics', 'metrics.cluster.io/v1 pods'],
  ['pods.v1', 'v1 pods'],
  ['pods.v1.', 'v1 pods'],
];

for (const [name, found] of cases) {
  test(`${name} resolves to ${found}`, async () => {
    const type = await resolveType(discovery, name);
    assert.equal(`${formatGroupVersion(type)} ${type.resource}`, found);
  });
}

for (const name of ['foo', 'pods.foo', 'deployments.v2.apps', 'deployments.v1.foo', '']) {
  test(`"${name}" resolves to no type`, async () => {
    await assert.rejects(resolveType(discovery, name), {
      message: `the server doesn't have a resource type "${name}"`,
    });
  });
}

test('the error for a missing type names the groups that could not be discovered', async () => {
  const failure = new Error('the server is busy');
  const partial = { served: async () => ({ types, failure }), nameOf: async () => '', forget() {} };
  await assert.rejects(resolveType(partial, 'foo'), failure);
  assert.equal((await resolveType(partial, 'pods')).resource, 'pods');
});

test('several names resolve to each type once, and a category to its types in their preferred version', async () => {
  const found = async (names: string) =>
    (await resolveTypes(discovery, names)).map(type => `${formatGroupVersion(type)} ${type.resource}`);
  assert.deepEqual(await found('pods,ev,pod'), ['v1 pods', 'v1 events']);
  assert.deepEqual(await found('all'), ['v1 pods', 'apps/v1 deployments', 'metrics.cluster.io/v1 pods']);
});

test('a type builds the paths of collections and objects', () => {
  const [pods, , deployments] = types;
  assert.ok(pods && deployments);
  assert.equal(resourcePath(pods, undefined), '/api/v1/pods');
  assert.equal(resourcePath(deployments, 'shop', 'a b'), '/apis/apps/v1/namespaces/shop/deployments/a%20b');
  assert.equal(resourcePath({ ...pods, namespaced: false }, 'shop', 'a'), '/api/v1/pods/a');
  assert.equal(singularName(pods), 'pod');
  assert.equal(singularName(deployments), 'deployment.apps');
});
