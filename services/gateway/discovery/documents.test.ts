import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { discoveryDocuments } from './documents.ts';

const registry = createTypeRegistry();
const documents = discoveryDocuments({ registry, aliases: true, serverAddress: '127.0.0.1:6443' });
const json = (path: string) => JSON.parse(documents.get(path)?.json.toString() ?? 'null');

test('the core group has its own root', () => {
  assert.deepEqual(json('/api'), {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
  });
});

test('every named group is listed under its own name only', () => {
  const names: string[] = json('/apis').groups.map((group: { name: string }) => group.name);
  assert.deepEqual(
    names,
    registry.groups().flatMap(({ group }) => (group === '' ? [] : [group])),
  );
});

test('a group and its versions are found under both spellings', () => {
  for (const name of ['rbac.authorization.cluster.io', 'rbac.authorization.k8s.io']) {
    assert.equal(json(`/apis/${name}`).name, name);
    assert.equal(json(`/apis/${name}/v1`).groupVersion, `${name}/v1`);
  }
  const strict = discoveryDocuments({ registry, aliases: false, serverAddress: '' });
  assert.equal(strict.get('/apis/rbac.authorization.k8s.io'), undefined);
});

test('a subresource stands after its resource, without a storage hash', () => {
  const { resources } = json('/api/v1');
  const names: string[] = resources.map((resource: { name: string }) => resource.name);
  const index = names.indexOf('namespaces');
  assert.ok(resources[index].storageVersionHash);
  assert.equal(resources[index].singularName, '');
  const status = resources[names.indexOf('namespaces/status')];
  assert.equal(status.storageVersionHash, undefined);
  assert.deepEqual(status.verbs, ['get', 'patch', 'update']);
});

test('the root lists paths in order', () => {
  const { paths } = json('');
  assert.deepEqual(paths, paths.toSorted());
  for (const path of ['/api/v1', '/apis/rbac.authorization.cluster.io/v1', '/livez', '/version']) {
    assert.ok(paths.includes(path), path);
  }
});
