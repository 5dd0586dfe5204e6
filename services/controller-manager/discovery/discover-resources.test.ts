import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiClient, ApiRequestOptions } from '@binnacle/client';
import { notFound } from '@binnacle/status-errors';
import { discoverResources } from './discover-resources.ts';

const verbs = ['delete', 'get', 'list', 'watch'];
const entry = (name: string, kind: string, more: object = {}) => ({
  name,
  kind,
  namespaced: true,
  verbs,
  ...more,
});

/** The documents of an API by path; a path that has none fails. */
function createTestClient(documents: Readonly<Record<string, unknown>>): Pick<ApiClient, 'request'> {
  return {
    async request<T>({ path }: ApiRequestOptions): Promise<T> {
      if (!(path in documents)) throw notFound({ group: '', resource: 'paths' }, path);
      return documents[path] as T; // The test wrote them.
    },
  };
}

const group = (name: string, versions: string[], preferred = versions[0]) => ({
  name,
  versions: versions.map(version => ({ groupVersion: `${name}/${version}`, version })),
  preferredVersion: { groupVersion: `${name}/${preferred}`, version: preferred },
});

test('every type is found once in the preferred version of its group, and by kind in each version', async () => {
  const found = await discoverResources(
    createTestClient({
      '/apis': { groups: [group('autoscaling', ['v1', 'v2'], 'v2')] },
      '/api/v1': { resources: [entry('configmaps', 'ConfigMap'), entry('pods/status', 'Pod')] },
      '/apis/autoscaling/v1': { resources: [entry('scalers', 'Scaler'), entry('others', 'Other')] },
      '/apis/autoscaling/v2': {
        resources: [entry('scalers', 'Scaler'), entry('reviews', 'Review', { verbs: ['create'] })],
      },
    }),
  );
  assert.deepEqual(
    found.resources.map(({ version, resource }) => `${resource} ${version}`),
    ['configmaps v1', 'scalers v2', 'reviews v2', 'others v1'],
  );
  assert.deepEqual(
    [...found.byKind].map(([name, { version }]) => `${name}: ${version}`),
    [
      'v1 ConfigMap: v1',
      'autoscaling/v2 Scaler: v2',
      'autoscaling/v1 Scaler: v1',
      'autoscaling/v1 Other: v1',
    ],
  );
  assert.deepEqual([found.failures, found.malformed], [[], []]);
});

test('a group alias adds no types, and its kinds are found', async () => {
  const things = { resources: [entry('things', 'Thing', { storageVersionHash: 'a' })] };
  const { resources, byKind } = await discoverResources(
    createTestClient({
      '/apis': { groups: [group('x.example', ['v1']), group('x.alias', ['v1'])] },
      '/api/v1': { resources: [] },
      '/apis/x.example/v1': things,
      '/apis/x.alias/v1': things,
    }),
  );
  assert.deepEqual(
    resources.map(type => type.group),
    ['x.example'],
  );
  assert.deepEqual([...byKind.keys()], ['x.example/v1 Thing', 'x.alias/v1 Thing']);
});

test('a version that does not answer is reported, and the others are found', async () => {
  const { resources, failures } = await discoverResources(
    createTestClient({
      '/apis': { groups: [group('down', ['v1']), group('up', ['v1'])] },
      '/api/v1': { resources: [] },
      '/apis/up/v1': { resources: [entry('things', 'Thing')] },
    }),
  );
  assert.deepEqual(
    resources.map(({ resource }) => resource),
    ['things'],
  );
  assert.deepEqual(
    failures.map(({ groupVersion }) => groupVersion),
    ['down/v1'],
  );
});

test('an invalid group version is reported', async () => {
  const groups = [
    { name: 'x', versions: ['a/b/c', 'x', '/v1', 'x/'].map(groupVersion => ({ groupVersion })) },
  ];
  const found = await discoverResources(
    createTestClient({ '/apis': { groups }, '/api/v1': { resources: [] } }),
  );
  assert.deepEqual(found.malformed, ['a/b/c', 'x', '/v1', 'x/']);
});

test('discovery fails without the list of groups', async () => {
  await assert.rejects(discoverResources(createTestClient({})));
});
