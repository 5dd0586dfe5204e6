import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finalizers } from '@binnacle/api-names';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import type { NamespaceApi, NamespacedResource, Remaining } from './namespace-api.ts';
import { reconcileNamespace } from './reconcile-namespace.ts';

const contentFinalizer = finalizers.namespace;
const verbs = ['delete', 'deletecollection', 'list'];
const configMaps: NamespacedResource = { group: '', version: 'v1', resource: 'configmaps', verbs };
const leases: NamespacedResource = {
  group: 'coordination.cluster.io',
  version: 'v1',
  resource: 'leases',
  verbs,
};

interface World {
  namespace: ApiObject | undefined;
  failures: { groupVersion: string; message: string }[];
  malformed?: string[];
  /** The objects that are left of each resource before and after its collection is deleted. */
  contents: Map<NamespacedResource, { before: Remaining; after: Remaining }>;
}

function drive(world: World): {
  api: NamespaceApi;
  deleted: string[];
  statuses: JsonObject[];
  finalized: (readonly string[])[];
} {
  const deleted: string[] = [];
  const statuses: JsonObject[] = [];
  const finalized: (readonly string[])[] = [];
  const api: NamespaceApi = {
    read: async () => world.namespace,
    discover: async () => ({
      resources: [...world.contents.keys()],
      failures: world.failures,
      malformed: world.malformed ?? [],
    }),
    deleteAll: async resource => void deleted.push(resource.resource),
    remaining: async resource => {
      const state = world.contents.get(resource);
      assert.ok(state);
      return deleted.includes(resource.resource) ? state.after : state.before;
    },
    writeStatus: async (_namespace, status) => void statuses.push(status),
    finalize: async (_namespace, finalizers) => void finalized.push(finalizers),
  };
  return { api, deleted, statuses, finalized };
}

const none: Remaining = { count: 0, finalizers: new Map() };
const some: Remaining = { count: 2, finalizers: new Map() };
const held: Remaining = {
  count: 1,
  finalizers: new Map([
    ['example.com/hold', 1],
    ['constructor', 1],
  ]),
};
const now = (): number => Date.UTC(2026, 0, 1);

function terminating(finalizers: string[]): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n', deletionTimestamp: '2026-01-01T00:00:00Z' },
    spec: { finalizers },
    status: { phase: 'Terminating' },
  } as ApiObject;
}

test('all content is deleted, and then only the content finalizer is removed', async () => {
  const { api, deleted, finalized } = drive({
    namespace: terminating([contentFinalizer, 'example.com/other']),
    failures: [],
    contents: new Map([
      [configMaps, { before: some, after: none }],
      [leases, { before: none, after: none }],
    ]),
  });
  assert.deepEqual(await reconcileNamespace('n', api, now), { kind: 'done' });
  assert.deepEqual(deleted, ['configmaps']);
  assert.deepEqual(finalized, [['example.com/other']]);
});

test('content with finalizers keeps the namespace with conditions, and it is reconciled again', async () => {
  const { api, statuses, finalized } = drive({
    namespace: terminating([contentFinalizer]),
    failures: [],
    contents: new Map([[leases, { before: held, after: held }]]),
  });
  assert.equal((await reconcileNamespace('n', api, now)).kind, 'retry');
  assert.deepEqual(finalized, []);
  const conditions = statuses[0]?.['conditions'] as JsonObject[];
  const byType = Object.fromEntries(conditions.map(condition => [condition['type'], condition]));
  assert.equal(byType['NamespaceContentRemaining']?.['status'], 'True');
  assert.match(
    String(byType['NamespaceContentRemaining']?.['message']),
    /leases\.coordination\.cluster\.io \(1\)/,
  );
  assert.match(
    String(byType['NamespaceFinalizersRemaining']?.['message']),
    /: constructor \(1\), example\.com\/hold \(1\)$/,
  );
  assert.equal(byType['NamespaceDeletionContentFailure']?.['status'], 'False');
});

for (const [what, namespace] of [
  ['a live namespace', { ...terminating([contentFinalizer]), metadata: { name: 'n' } }],
  ['a namespace that is gone', undefined],
  ['a namespace whose contents are gone', terminating(['example.com/other'])],
] as const) {
  test(`${what} is not changed`, async () => {
    const { api, deleted, finalized } = drive({
      namespace,
      failures: [],
      contents: new Map([[configMaps, { before: some, after: some }]]),
    });
    assert.deepEqual(await reconcileNamespace('n', api, now), { kind: 'done' });
    assert.deepEqual([deleted, finalized], [[], []]);
  });
}

test('a namespace is kept while a group cannot be discovered', async () => {
  const { api, finalized, statuses } = drive({
    namespace: terminating([contentFinalizer]),
    failures: [{ groupVersion: 'x/v1', message: 'down' }],
    contents: new Map(),
  });
  assert.equal((await reconcileNamespace('n', api, now)).kind, 'retry');
  assert.deepEqual(finalized, []);
  const failed = (statuses[0]?.['conditions'] as JsonObject[])[0];
  assert.deepEqual([failed?.['type'], failed?.['status']], ['NamespaceDeletionDiscoveryFailure', 'True']);
  assert.match(String(failed?.['message']), /x\/v1: down/);
});

test('a namespace is kept while a group has an invalid version', async () => {
  const { api, finalized, statuses } = drive({
    namespace: terminating([contentFinalizer]),
    failures: [],
    malformed: ['a/b/c'],
    contents: new Map(),
  });
  assert.equal((await reconcileNamespace('n', api, now)).kind, 'retry');
  assert.deepEqual(finalized, []);
  const failed = (statuses[0]?.['conditions'] as JsonObject[])[1];
  assert.deepEqual(
    [failed?.['type'], failed?.['status'], failed?.['reason']],
    ['NamespaceDeletionGroupVersionParsingFailure', 'True', 'GroupVersionParsingFailed'],
  );
});

test('a collection that cannot be deleted is reported in the conditions, and the others are deleted', async () => {
  const { api, deleted, finalized, statuses } = drive({
    namespace: terminating([contentFinalizer]),
    failures: [],
    contents: new Map([
      [configMaps, { before: some, after: some }],
      [leases, { before: some, after: none }],
    ]),
  });
  const failing: NamespaceApi = {
    ...api,
    deleteAll: async (resource, namespace) => {
      if (resource === configMaps) throw new Error('refused');
      await api.deleteAll(resource, namespace);
    },
  };
  assert.equal((await reconcileNamespace('n', failing, now)).kind, 'retry');
  assert.deepEqual([deleted, finalized], [['leases'], []]);
  const failed = (statuses[0]?.['conditions'] as JsonObject[])[2];
  assert.deepEqual([failed?.['type'], failed?.['status']], ['NamespaceDeletionContentFailure', 'True']);
  assert.match(String(failed?.['message']), /configmaps: refused/);
});
