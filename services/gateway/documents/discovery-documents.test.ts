import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { createTypeRegistry } from '@binnacle/api-types';
import { discoveryDocuments } from './discovery-documents.ts';

const registry = createTypeRegistry();
const options = {
  registry,
  aliases: 'listed',
  serverAddress: '127.0.0.1:6443',
  aggregated: false,
  openApiV3: true,
} as const;
const documents = discoveryDocuments(options);
const json = (path: string) => JSON.parse(documents.get(path)?.json.toString() ?? 'null');

const ofAliases = { skip: vocabulary !== 'cluster' && 'groups have no aliases' };

const listNames = (all: typeof documents): string[] =>
  JSON.parse(all.get('/apis')?.json.toString() ?? '').groups.map((group: { name: string }) => group.name);

test('the core group is at its own root', () => {
  assert.deepEqual(json('/api'), {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
  });
});

test(
  'named groups are listed under their own names in order, and then under their aliases',
  ofAliases,
  () => {
    const own = registry.groups().flatMap(({ group }) => (group === '' ? [] : [group]));
    const aliases = own
      .filter(name => name.endsWith('.cluster.io'))
      .map(name => name.replace(/cluster\.io$/, 'k8s.io'));
    assert.deepEqual(listNames(documents), [...own, ...aliases]);
    const found = discoveryDocuments({ ...options, aliases: 'found' });
    assert.deepEqual(listNames(found), own);
    assert.ok(found.has('/apis/networking.k8s.io/v1'));
  },
);

test('aggregated discovery is one document for each root', () => {
  const { aggregated } = discoveryDocuments({ ...options, aggregated: true }).get('/apis') ?? {};
  const list = aggregated?.('apidiscovery.k8s.io/v2beta1');
  assert.equal(list?.['apiVersion'], 'apidiscovery.k8s.io/v2beta1');
  const text = JSON.stringify(list);
  assert.ok(
    text.includes(
      '{"resource":"ingressclasses","responseKind":{"group":"networking.cluster.io","version":"v1","kind":"IngressClass"},"scope":"Cluster","singularResource":"ingressclass"',
    ),
  );
  assert.equal(documents.get('/apis')?.aggregated, undefined);
  // Under its alias a group has no shortcuts.
  assert.equal(text.split('"shortNames":["ing"]').length, 2);
  assert.equal(text.split('"shortNames":["crd","crds"]').length, 2);
});

test('a group and its versions are found under their alias', ofAliases, () => {
  for (const name of ['rbac.authorization.cluster.io', 'rbac.authorization.k8s.io']) {
    assert.equal(json(`/apis/${name}`).name, name);
    assert.equal(json(`/apis/${name}/v1`).groupVersion, `${name}/v1`);
  }
  const strict = discoveryDocuments({ ...options, aliases: 'unknown' });
  assert.equal(strict.get('/apis/rbac.authorization.k8s.io'), undefined);
});

test('a subresource follows its resource and has no storage hash', () => {
  const { resources } = json('/api/v1');
  const names: string[] = resources.map((resource: { name: string }) => resource.name);
  const index = names.indexOf('namespaces');
  assert.ok(resources[index].storageVersionHash);
  assert.equal(resources[index].singularName, '');
  const status = resources[names.indexOf('namespaces/status')];
  assert.equal(status.storageVersionHash, undefined);
  assert.deepEqual(status.verbs, ['get', 'patch', 'update']);
});

test('storage version hashes can be switched off', () => {
  const documents = discoveryDocuments({ ...options, storageVersionHash: false });
  for (const path of ['/api/v1', '/apis/apps/v1']) {
    assert.doesNotMatch(documents.get(path)?.json.toString() ?? '', /storageVersionHash/);
    assert.match(discoveryDocuments(options).get(path)?.json.toString() ?? '', /storageVersionHash/);
  }
});

test('the root lists paths in sorted order', () => {
  const { paths } = json('');
  assert.deepEqual(paths, paths.toSorted());
  for (const path of ['/api/v1', '/apis/rbac.authorization.cluster.io/v1', '/livez', '/version']) {
    assert.ok(paths.includes(path), path);
  }
});
