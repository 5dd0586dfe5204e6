import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Answer, type ApiServer, until } from './api-server.ts';
import { makeQuota, pod, readUsage } from './quota-objects.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
});
after(() => server[Symbol.asyncDispose]());

const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
const pods = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;
const services = (namespace: string) => `/api/v1/namespaces/${namespace}/services`;
const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });

function assertRefused(answer: Answer, message: RegExp): void {
  assert.equal(answer.code, 403, answer.text);
  assert.equal(answer.json.reason, 'Forbidden');
  assert.match(answer.json.message, message);
}

test('creations are charged or refused, and deletions credited, immediately', async () => {
  await server.namespace('counted');
  await makeQuota(server, 'counted', { hard: { 'count/configmaps': '2' } });
  for (const name of ['a', 'b'])
    assert.equal((await server.call('POST', configMaps('counted'), { body: named(name) })).code, 201);
  assert.deepEqual(await readUsage(server, 'counted'), { 'count/configmaps': '2' });
  assertRefused(
    await server.call('POST', configMaps('counted'), { body: named('c') }),
    /^configmaps "c" is forbidden: exceeded quota: q, requested: count\/configmaps=1, used: count\/configmaps=2, limited: count\/configmaps=2$/,
  );
  assert.equal((await server.call('DELETE', `${configMaps('counted')}/a`)).code, 200);
  assert.deepEqual(await readUsage(server, 'counted'), { 'count/configmaps': '1' });
  assert.equal((await server.call('POST', configMaps('counted'), { body: named('c') })).code, 201);
});

test('a dry run is refused like the write, and is not charged', async () => {
  await server.namespace('dry');
  await makeQuota(server, 'dry', { hard: { configmaps: '1' } });
  const dry = `${configMaps('dry')}?dryRun=All`;
  assert.equal((await server.call('POST', dry, { body: named('a') })).code, 201);
  assert.deepEqual(await readUsage(server, 'dry'), { configmaps: '0' });
  assert.equal((await server.call('POST', configMaps('dry'), { body: named('a') })).code, 201);
  assertRefused(await server.call('POST', dry, { body: named('b') }), /exceeded quota: q/);
  const goes = await server.call('DELETE', `${configMaps('dry')}/a?dryRun=All`);
  assert.equal(goes.code, 200);
  assert.deepEqual(await readUsage(server, 'dry'), { configmaps: '1' });
});

test('a failed write is not charged', async () => {
  await server.namespace('failing');
  await makeQuota(server, 'failing', { hard: { configmaps: '5' } });
  assert.equal((await server.call('POST', configMaps('failing'), { body: named('a') })).code, 201);
  assert.equal((await server.call('POST', configMaps('failing'), { body: named('a') })).code, 409);
  assert.deepEqual(await readUsage(server, 'failing'), { configmaps: '1' });
});

test('an object with a finalizer is counted until it is removed', async () => {
  await server.namespace('held');
  await makeQuota(server, 'held', { hard: { configmaps: '5' } });
  const path = `${configMaps('held')}/a`;
  const body = { metadata: { name: 'a', finalizers: ['example.com/hold'] } };
  assert.equal((await server.call('POST', configMaps('held'), { body })).code, 201);
  assert.equal((await server.call('DELETE', path)).code, 200);
  assert.deepEqual(await readUsage(server, 'held'), { configmaps: '1' });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patch = { metadata: { finalizers: null } };
  assert.equal((await server.call('PATCH', path, { body: patch, headers })).code, 200);
  assert.equal((await server.call('GET', path)).code, 404);
  assert.deepEqual(await readUsage(server, 'held'), { configmaps: '0' });
});

test('pods must set limited amounts, are charged for them, and credited when they end', async () => {
  await server.namespace('pods');
  await makeQuota(server, 'pods', {
    hard: { 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '3', 'count/pods': '3' },
  });
  assertRefused(
    await server.call('POST', pods('pods'), { body: pod('silent', {}) }),
    /failed quota: q: must specify limits.memory for: c; requests.cpu for: c$/,
  );
  const resources = { requests: { cpu: '600m' }, limits: { memory: '512Mi' } };
  assert.equal((await server.call('POST', pods('pods'), { body: pod('a', { resources }) })).code, 201);
  assertRefused(
    await server.call('POST', pods('pods'), { body: pod('b', { resources }) }),
    /exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1$/,
  );
  const headers = { 'content-type': 'application/merge-patch+json' };
  const ended = await server.call('PATCH', `${pods('pods')}/a/status`, {
    body: { status: { phase: 'Succeeded' } },
    headers,
  });
  assert.equal(ended.code, 200, ended.text);
  assert.deepEqual(await readUsage(server, 'pods'), {
    'requests.cpu': '0',
    'limits.memory': '0',
    pods: '0',
    'count/pods': '1',
  });
  assert.equal((await server.call('POST', pods('pods'), { body: pod('b', { resources }) })).code, 201);
  assert.equal((await server.call('DELETE', `${pods('pods')}/a?gracePeriodSeconds=0`)).code, 200);
  assert.equal((await readUsage(server, 'pods'))['count/pods'], '1');
});

test('an evicted pod is credited', async () => {
  await server.namespace('evicted');
  await makeQuota(server, 'evicted', { hard: { pods: '1' } });
  assert.equal((await server.call('POST', pods('evicted'), { body: pod('a', {}) })).code, 201);
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
  const eviction = `${pods('evicted')}/a/eviction`;
  assert.equal((await server.call('POST', `${eviction}?dryRun=All`, { body })).code, 201);
  assert.deepEqual(await readUsage(server, 'evicted'), { pods: '1' });
  assert.equal((await server.call('POST', eviction, { body })).code, 201);
  assert.equal((await server.call('GET', `${pods('evicted')}/a`)).code, 404);
  assert.deepEqual(await readUsage(server, 'evicted'), { pods: '0' });
  assert.equal((await server.call('POST', eviction, { body })).code, 404);
});

test('an update of a service is charged, and refused beyond the limit', async () => {
  await server.namespace('services');
  await makeQuota(server, 'services', { hard: { services: '2', 'services.nodeports': '1' } });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const spec = { ports: [{ name: 'a', port: 80 }] };
  assert.equal((await server.call('POST', services('services'), { body: named('s', { spec }) })).code, 201);
  const path = `${services('services')}/s`;
  const nodePort = await server.call('PATCH', path, { body: { spec: { type: 'NodePort' } }, headers });
  assert.equal(nodePort.code, 200, nodePort.text);
  assert.deepEqual(await readUsage(server, 'services'), { services: '1', 'services.nodeports': '1' });
  const another = { ...spec, type: 'NodePort' };
  assertRefused(
    await server.call('POST', services('services'), { body: named('t', { spec: another }) }),
    /exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=1, limited: services.nodeports=1$/,
  );
  const back = await server.call('PATCH', path, { body: { spec: { type: 'ClusterIP' } }, headers });
  assert.equal(back.code, 200, back.text);
  assert.deepEqual(await readUsage(server, 'services'), { services: '1', 'services.nodeports': '0' });
});

test('a quota with scopes limits only pods in its scopes', async () => {
  await server.namespace('scoped');
  await makeQuota(server, 'scoped', { hard: { pods: '1' }, scopes: ['BestEffort'] });
  assert.equal((await server.call('POST', pods('scoped'), { body: pod('a', {}) })).code, 201);
  assertRefused(await server.call('POST', pods('scoped'), { body: pod('b', {}) }), /exceeded quota: q/);
  const resources = { requests: { cpu: '1m' } };
  assert.equal((await server.call('POST', pods('scoped'), { body: pod('b', { resources }) })).code, 201);
  assert.deepEqual(await readUsage(server, 'scoped'), { pods: '1' });
});

test('a quota of devices for a priority class limits only pods of that class', async () => {
  await server.namespace('devices');
  const classes = '/apis/scheduling.cluster.io/v1/priorityclasses';
  const made = await server.call('POST', classes, { body: named('urgent', { value: 1000 }) });
  assert.equal(made.code, 201, made.text);
  const device = 'nvidia.com/gpu';
  const asking = (name: string, count: string, priorityClassName?: string) => {
    const resources = { requests: { [device]: count }, limits: { [device]: count } };
    const { metadata, spec } = pod(name, { resources });
    return { metadata, spec: { ...spec, ...(priorityClassName && { priorityClassName }) } };
  };
  const create = (body: object) => server.call('POST', pods('devices'), { body });
  // One is there before the quota: the controller counts it.
  assert.equal((await create(asking('early', '1', 'urgent'))).code, 201);
  const name = `requests.${device}`;
  await makeQuota(server, 'devices', {
    hard: { [name]: '3', 'count/pods': '5' },
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['urgent'] }] },
  });
  assert.deepEqual(await readUsage(server, 'devices'), { [name]: '1', 'count/pods': '1' });
  assert.equal((await create(asking('a', '2', 'urgent'))).code, 201);
  assert.deepEqual(await readUsage(server, 'devices'), { [name]: '3', 'count/pods': '2' });
  assertRefused(
    await create(asking('b', '1', 'urgent')),
    /exceeded quota: q, requested: requests.nvidia.com\/gpu=1, used: requests.nvidia.com\/gpu=3, limited: requests.nvidia.com\/gpu=3$/,
  );
  assert.equal((await create(asking('c', '4'))).code, 201);
  assert.deepEqual(await readUsage(server, 'devices'), { [name]: '3', 'count/pods': '2' });
});

test('a resource outside the scopes is never used', async () => {
  await server.namespace('scopeless');
  const className = 'gold.storageclass.storage.k8s.io/requests.storage';
  await makeQuota(server, 'scopeless', {
    hard: { 'count/configmaps': '0', 'count/pods': '2', [className]: '0' },
    scopes: ['NotTerminating'],
  });
  assert.equal((await server.call('POST', configMaps('scopeless'), { body: named('a') })).code, 201);
  const claim = {
    spec: {
      storageClassName: 'gold',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  };
  const claims = '/api/v1/namespaces/scopeless/persistentvolumeclaims';
  const { code, text } = await server.call('POST', claims, { body: named('a', claim) });
  assert.equal(code, 201, text);
  assert.equal((await server.call('POST', pods('scopeless'), { body: pod('a', {}) })).code, 201);
  assert.deepEqual(await readUsage(server, 'scopeless'), {
    'count/configmaps': '0',
    'count/pods': '1',
    [className]: '0',
  });
});

test('existing objects are counted when limits are set or changed', async () => {
  await server.namespace('late');
  for (const name of ['a', 'b', 'c'])
    assert.equal((await server.call('POST', configMaps('late'), { body: named(name) })).code, 201);
  await makeQuota(server, 'late', { hard: { 'count/configmaps': '1' } });
  assert.deepEqual(await readUsage(server, 'late'), { 'count/configmaps': '3' });
  assertRefused(await server.call('POST', configMaps('late'), { body: named('d') }), /exceeded quota: q/);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const hard = { 'count/configmaps': '4', 'count/leases.coordination.cluster.io': '1' };
  const path = '/api/v1/namespaces/late/resourcequotas/q';
  assert.equal((await server.call('PATCH', path, { body: { spec: { hard } }, headers })).code, 200);
  const counted = { 'count/configmaps': '3', 'count/leases.coordination.cluster.io': '0' };
  await until('both are counted', async () => isDeepStrictEqual(await readUsage(server, 'late'), counted));
  const leases = '/apis/coordination.cluster.io/v1/namespaces/late/leases';
  assert.equal((await server.call('POST', leases, { body: named('a') })).code, 201);
  assertRefused(await server.call('POST', leases, { body: named('b') }), /exceeded quota: q/);
});

test('a quota that counts quotas can be deleted', async () => {
  await server.namespace('itself');
  await makeQuota(server, 'itself', { hard: { resourcequotas: '1' } });
  assert.deepEqual(await readUsage(server, 'itself'), { resourcequotas: '1' });
  const path = '/api/v1/namespaces/itself/resourcequotas';
  const second = { metadata: { name: 'r' }, spec: { hard: {} } };
  assertRefused(await server.call('POST', path, { body: second }), /exceeded quota: q/);
  assert.equal((await server.call('DELETE', `${path}/q`)).code, 200);
  assert.equal((await server.call('POST', path, { body: second })).code, 201);
});

test('a namespace with a quota is deleted with all its content', async () => {
  await server.namespace('going');
  await makeQuota(server, 'going', { hard: { 'count/configmaps': '40', pods: '3', resourcequotas: '2' } });
  const names = Array.from({ length: 24 }, (_, i) => `c${i}`);
  const created = names.map(name => server.call('POST', configMaps('going'), { body: named(name) }));
  for (const { code, text } of await Promise.all(created)) assert.equal(code, 201, text);
  assert.equal((await server.call('POST', pods('going'), { body: pod('a', {}) })).code, 201);
  assert.equal((await server.call('DELETE', '/api/v1/namespaces/going')).code, 200);
  await until(
    'the namespace is gone',
    async () => (await server.call('GET', '/api/v1/namespaces/going')).code === 404,
  );
  assert.deepEqual((await server.call('GET', configMaps('going'))).json.items, []);
});
