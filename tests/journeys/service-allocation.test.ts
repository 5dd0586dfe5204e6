import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { objects } from '@binnacle/api-names';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings, startAdminServer } from './admin-server.ts';
import { objectsAt } from './setup/json-parts.ts';

const merge = 'application/merge-patch+json';
const server = await startAdminServer({
  serviceClusterIpRange: ['10.96.0.0/24', 'fd00:10:96::/112'],
  serviceNodePortRange: '30000-30099',
});
after(() => server[Symbol.asyncDispose]());

const http = { port: 80 };

/** A namespace's services, and what is done to them. */
async function fresh(on: AdminServer = server) {
  const services = `${await on.namespace()}/services`;
  const body = (name: string, spec: JsonObject) => ({ metadata: { name }, spec: { ports: [http], ...spec } });
  return {
    services,
    create: (name: string, spec: JsonObject = {}) =>
      on.expect(201, 'POST', services, { body: body(name, spec) }).then(readSpec),
    put: (name: string, spec: JsonObject = {}) =>
      on.expect(200, 'PUT', `${services}/${name}`, { body: body(name, spec) }).then(readSpec),
    patch: (name: string, spec: JsonObject) =>
      on.expect(200, 'PATCH', `${services}/${name}`, { body: { spec }, contentType: merge }).then(readSpec),
    remove: (name: string) => on.expect(200, 'DELETE', `${services}/${name}`),
    refuse: async (name: string, spec: JsonObject) =>
      findings(await on.expect(422, 'POST', services, { body: body(name, spec) })),
    refusePatch: async (name: string, spec: JsonObject) =>
      findings(await on.expect(422, 'PATCH', `${services}/${name}`, { body: { spec }, contentType: merge })),
  };
}

function readSpec(object: JsonObject): Record<string, JsonValue> {
  return object['spec'] as Record<string, JsonValue>; // Of a service.
}

const nodePorts = (spec: Record<string, JsonValue>): (JsonValue | undefined)[] =>
  objectsAt(spec, 'ports').map(port => port['nodePort']);
const invalid = (field: string) => ['Invalid', `FieldValueInvalid ${field}`];

test('the server has a service with the first address of the range', async () => {
  const service = await server.expect(
    200,
    'GET',
    `/api/v1/namespaces/default/services/${objects.apiService}`,
  );
  const spec = readSpec(service);
  assert.deepEqual(
    [spec['clusterIP'], spec['clusterIPs'], spec['type']],
    ['10.96.0.1', ['10.96.0.1'], 'ClusterIP'],
  );
  assert.deepEqual(at(spec, 'ports', 0, 'port'), 443);
  assert.ok(Number(at(spec, 'ports', 0, 'targetPort')) > 0);
  const { refuse } = await fresh();
  assert.deepEqual(await refuse('a', { clusterIP: '10.96.0.1' }), invalid('spec.clusterIPs'));
});

test('a service gets an address, a family and a policy, without a manager of these fields', async () => {
  const { services, create } = await fresh();
  const spec = await create('a');
  assert.match(String(spec['clusterIP']), /^10\.96\.0\.\d+$/);
  assert.ok(Number(String(spec['clusterIP']).split('.')[3]) > 16);
  assert.deepEqual(
    [spec['clusterIPs'], spec['ipFamilies'], spec['ipFamilyPolicy']],
    [[spec['clusterIP']], ['IPv4'], 'SingleStack'],
  );
  const entries = at(await server.expect(200, 'GET', `${services}/a`), 'metadata', 'managedFields');
  assert.doesNotMatch(JSON.stringify(entries), /clusterIP|ipFamil/);
});

test('requested addresses are allocated or refused', async () => {
  const { create, refuse, remove } = await fresh();
  assert.equal((await create('a', { clusterIP: '10.96.0.7' }))['clusterIP'], '10.96.0.7');
  for (const clusterIP of ['10.96.0.7', '11.0.0.1', '10.96.0.0', '10.96.0.255'])
    assert.deepEqual(await refuse('b', { clusterIP }), invalid('spec.clusterIPs'), clusterIP);
  assert.deepEqual(await refuse('b', { clusterIP: 'foo' }), invalid('spec.clusterIPs[0]'));
  await remove('a');
  assert.equal((await create('b', { clusterIP: '10.96.0.7' }))['clusterIP'], '10.96.0.7');
});

test('omitted values are kept in updates, and allocated values cannot change', async () => {
  const { create, put, refusePatch } = await fresh();
  const created = await create('a', { type: 'NodePort' });
  assert.deepEqual(await put('a', { type: 'NodePort' }), created);
  assert.deepEqual(await refusePatch('a', { clusterIP: '10.96.0.9' }), invalid('spec.clusterIPs[0]'));
  await create('b');
  assert.deepEqual(await refusePatch('b', { clusterIP: 'None' }), invalid('spec.clusterIPs[0]'));
});

test('a failed creation allocates nothing', async () => {
  const { create, refuse } = await fresh();
  await refuse('a', { clusterIP: '10.96.0.11', ports: [{ port: 0 }] });
  await create('a', { clusterIP: '10.96.0.11' });
});

test('dual stack can be requested, removed and kept', async () => {
  const { create, patch, refusePatch } = await fresh();
  const created = await create('a');
  const two = await patch('a', { ipFamilyPolicy: 'PreferDualStack' });
  assert.deepEqual(two['ipFamilies'], ['IPv4', 'IPv6']);
  const [first, second] = two['clusterIPs'] as string[];
  assert.equal(first, created['clusterIP']);
  assert.match(second ?? '', /^fd00:10:96::/);
  assert.deepEqual(await refusePatch('a', { ipFamilies: ['IPv6', 'IPv4'] }), [
    ...invalid('spec.clusterIPs[0]'),
    'FieldValueInvalid spec.clusterIPs[1]',
  ]);
  const one = await patch('a', { ipFamilyPolicy: 'SingleStack' });
  assert.deepEqual([one['clusterIPs'], one['ipFamilies']], [[first], ['IPv4']]);
  await create('b', { clusterIP: second ?? '', ipFamilies: ['IPv6'] });
  const reversed = await create('c', { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] });
  assert.match(String(reversed['clusterIP']), /^fd00:/);
  assert.deepEqual(reversed['ipFamilies'], ['IPv6', 'IPv4']);
});

test('headless services and external names have no address', async () => {
  const { create, patch } = await fresh();
  const headless = await create('a', { clusterIP: 'None' });
  assert.deepEqual(
    [headless['clusterIPs'], headless['ipFamilies'], headless['ipFamilyPolicy']],
    [['None'], ['IPv4', 'IPv6'], 'RequireDualStack'],
  );
  const selecting = await create('b', { clusterIP: 'None', selector: { a: 'b' } });
  assert.deepEqual([selecting['ipFamilies'], selecting['ipFamilyPolicy']], [['IPv4'], 'SingleStack']);
  const named = await create('c', { type: 'ExternalName', externalName: 'example.com' });
  assert.deepEqual(
    ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter(key => key in named),
    [],
  );
  const addressed = await patch('c', { type: 'ClusterIP', externalName: null });
  const { clusterIP = '' } = addressed;
  assert.match(String(clusterIP), /^10\.96\.0\./);
  const repeated = await patch('c', { type: 'ExternalName', externalName: 'example.com' });
  assert.equal(repeated['clusterIP'], undefined);
  assert.equal((await create('d', { clusterIP }))['clusterIP'], clusterIP);
});

test('node ports are allocated, requested, shared by protocols, kept and released', async () => {
  const { create, patch, refuse } = await fresh();
  const ports = [
    { port: 80, name: 'a', nodePort: 30_001 },
    { port: 81, name: 'b' },
    { port: 81, name: 'c', protocol: 'UDP' },
  ];
  const [asked, given, shared] = nodePorts(await create('a', { type: 'NodePort', ports }));
  assert.equal(asked, 30_001);
  assert.ok(Number(given) >= 30_000 && Number(given) <= 30_099 && given !== asked);
  assert.equal(shared, given);
  const at0 = invalid('spec.ports[0].nodePort');
  for (const nodePort of [30_001, 29_999, 30_100])
    assert.deepEqual(await refuse('b', { type: 'NodePort', ports: [{ port: 1, nodePort }] }), at0);
  assert.deepEqual(
    await refuse('b', { type: 'NodePort', ports: [{ port: 1, protocol: 'UDP', nodePort: 30_001 }] }),
    at0,
  );
  assert.deepEqual(nodePorts(await patch('a', { type: 'LoadBalancer' })), [asked, given, shared]);
  assert.deepEqual(nodePorts(await patch('a', { type: 'ClusterIP' })), [undefined, undefined, undefined]);
  await create('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] });
  assert.deepEqual(nodePorts(await patch('b', { ports: [{ port: 80, nodePort: 30_002 }] })), [30_002]);
  await create('c', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] });
});

test('load balancers have node ports unless switched off, and a health-check port if needed', async () => {
  const { create, patch, refuse, refusePatch } = await fresh();
  assert.ok(nodePorts(await create('a', { type: 'LoadBalancer' }))[0]);
  const without = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };
  assert.deepEqual(nodePorts(await create('b', without)), [undefined]);
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
  const spec = await create('c', local);
  assert.ok(Number(spec['healthCheckNodePort']) >= 30_000);
  assert.notEqual(spec['healthCheckNodePort'], nodePorts(spec)[0]);
  const healthCheckNodePort = spec['healthCheckNodePort'] ?? 0;
  assert.deepEqual(await refuse('d', { ...local, healthCheckNodePort }), invalid('spec.healthCheckNodePort'));
  const another = healthCheckNodePort === 30_050 ? 30_051 : 30_050;
  assert.deepEqual(await refusePatch('c', { healthCheckNodePort: another }), [
    'Invalid',
    'FieldValueForbidden spec.healthCheckNodePort',
  ]);
  assert.equal((await patch('c', { externalTrafficPolicy: 'Cluster' }))['healthCheckNodePort'], undefined);
  await create('d', { ...local, healthCheckNodePort });
  assert.ok((await patch('b', { externalTrafficPolicy: 'Local' }))['healthCheckNodePort']);
});

test('a dry run shows the allocation and allocates nothing', async () => {
  const { services, create } = await fresh();
  const body = { metadata: { name: 'a' }, spec: { type: 'NodePort', ports: [http] } };
  const dry = readSpec(await server.expect(201, 'POST', `${services}?dryRun=All`, { body }));
  const [nodePort] = nodePorts(dry);
  assert.ok(nodePort);
  const ports = [{ port: 80, nodePort }];
  const spec = await create('b', { type: 'NodePort', clusterIP: dry['clusterIP'] ?? '', ports });
  assert.deepEqual([spec['clusterIP'], nodePorts(spec)], [dry['clusterIP'], [nodePort]]);
});

test('applied services and services created by updates are allocated values', async () => {
  const { services } = await fresh();
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [http] } };
  const contentType = 'application/apply-patch+yaml';
  const apply = `${services}/a?fieldManager=m`;
  const spec = readSpec(await server.expect(201, 'PATCH', apply, { body, contentType }));
  assert.ok(spec['clusterIP']);
  assert.deepEqual(readSpec(await server.expect(200, 'PATCH', apply, { body, contentType })), spec);
  const put = await server.expect(201, 'PUT', `${services}/b`, {
    body: { ...body, metadata: { name: 'b' } },
  });
  assert.ok(readSpec(put)['clusterIP']);
});
