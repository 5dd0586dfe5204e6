import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { type CountedType, countedType, countedTypes } from './counted-types.ts';
import type { QuotaApi } from './quota-api.ts';
import { needsCount, reconcileQuota } from './reconcile-quota.ts';

const objectWith = (more: JsonObject): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'x' }, ...more }) as ApiObject; // Has what objects must have.

interface World {
  quota: ApiObject | undefined;
  readonly objects: Readonly<Record<string, readonly ApiObject[]>>;
  readonly written: ApiObject[];
  accepts: boolean;
  readonly asked: CountedType[];
}

function createApi(world: World): QuotaApi {
  const all = ({ group, resource }: CountedType) => world.objects[`${resource}.${group}`] ?? [];
  return {
    quota: async () => structuredClone(world.quota),
    async writeStatus(quota) {
      world.written.push(quota);
      return world.accepts;
    },
    quotaAt: async () => undefined,
    async visit(type, _namespace, visitor) {
      world.asked.push(type);
      for (const object of all(type)) visitor(object);
      return '1';
    },
    async count(type) {
      world.asked.push(type);
      return { count: all(type).length, resourceVersion: '1' };
    },
  };
}

const world = (quota: ApiObject | undefined, objects: World['objects'] = {}): World => ({
  quota,
  objects,
  written: [],
  accepts: true,
  asked: [],
});
const reconcile = (of: World) => reconcileQuota('a/q', createApi(of));

const pod = (cpu: string, phase: string) =>
  objectWith({
    spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
    status: { phase },
  });

test('usage is counted by the rules of each type and written with the limits of the spec', async () => {
  const hard = {
    pods: '9',
    'requests.cpu': '4',
    configmaps: '3',
    'count/leases.coordination.k8s.io': '1',
    'count/unheards.example.com': '1',
    'count/events': '7',
  };
  const at = world(objectWith({ spec: { hard } }), {
    'pods.': [pod('500m', 'Running'), pod('1', 'Pending'), pod('7', 'Succeeded')],
    'configmaps.': [objectWith({}), objectWith({})],
    'leases.coordination.cluster.io': [objectWith({})],
  });
  assert.equal((await reconcile(at)).kind, 'again');
  assert.deepEqual(at.written[0]?.['status'], {
    hard,
    used: {
      pods: '2',
      'requests.cpu': '1500m',
      configmaps: '2',
      'count/leases.coordination.k8s.io': '1',
      'count/unheards.example.com': '0',
    },
  });
  assert.equal(at.asked.filter(({ resource }) => resource === 'pods').length, 1);
});

test('a quota with scopes counts only pods in its scopes', async () => {
  const hard = { pods: '9', services: '1' };
  const at = world(objectWith({ spec: { hard, scopes: ['NotBestEffort'] } }), {
    'pods.': [pod('500m', 'Running'), objectWith({ spec: { containers: [] } })],
    'services.': [objectWith({})],
  });
  await reconcile(at);
  assert.deepEqual(at.written[0]?.['status'], { hard, used: { pods: '1', services: '0' } });
});

test('a correct status is not written, whatever the format of its amounts', async () => {
  const hard = { 'requests.cpu': '2' };
  const status = { hard, used: { 'requests.cpu': '1.5' } };
  const at = world(objectWith({ spec: { hard }, status }), {
    'pods.': [pod('500m', 'Running'), pod('1', 'Running')],
  });
  assert.equal((await reconcile(at)).kind, 'again');
  assert.deepEqual(at.written, []);
});

test('a count with a conflict is repeated, and a missing quota is ignored', async () => {
  const at = world(objectWith({ spec: { hard: { pods: '1' } } }));
  at.accepts = false;
  assert.equal((await reconcile(at)).kind, 'retry');
  at.quota = undefined;
  assert.equal((await reconcile(at)).kind, 'done');
});

test('a quota is counted when its status has other limits than its spec', () => {
  const hard = { pods: '1' };
  assert.equal(needsCount(objectWith({ spec: { hard } })), true);
  assert.equal(needsCount(objectWith({ spec: { hard }, status: { hard } })), false);
  assert.equal(needsCount(objectWith({ spec: { hard }, status: { hard: { pods: '2' } } })), true);
  assert.equal(needsCount(objectWith({ spec: { hard }, status: { hard: { ...hard, cpu: '1' } } })), true);
  assert.equal(needsCount(objectWith({ spec: {}, status: {} })), true);
  assert.equal(needsCount(objectWith({ spec: {}, status: { hard: {} } })), false);
});

const names: readonly [name: string, type: string | undefined][] = [
  ['cpu', 'pods.'],
  ['requests.memory', 'pods.'],
  ['limits.ephemeral-storage', 'pods.'],
  ['requests.example.com/disk', 'pods.'],
  ['hugepages-2Mi', 'pods.'],
  ['count/pods', 'pods.'],
  ['services.nodeports', 'services.'],
  ['count/services', 'services.'],
  ['requests.storage', 'persistentvolumeclaims.'],
  ['gold.storageclass.storage.k8s.io/requests.storage', 'persistentvolumeclaims.'],
  ['count/persistentvolumeclaims', 'persistentvolumeclaims.'],
  ['secrets', 'secrets.'],
  ['count/deployments.apps', 'deployments.apps'],
  ['count/ingresses.networking.k8s.io', 'ingresses.networking.cluster.io'],
  ['count/events', undefined],
  ['example.com/disk', undefined],
];
test('each name of a quota belongs to one type', () => {
  for (const [name, type] of names) {
    const found = countedType(name);
    assert.equal(found && `${found.resource}.${found.group}`, type, name);
  }
  assert.equal(countedTypes(['cpu', 'pods', 'secrets', 'count/secrets', 'count/events']).length, 2);
});
