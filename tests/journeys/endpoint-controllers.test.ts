import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { asObject, asObjects, asTexts } from '@binnacle/api-types';
import { at, startAdminServer } from './admin-server.ts';

const merge = 'application/merge-patch+json';
const server = await startAdminServer({ serviceClusterIpRange: ['10.96.0.0/16', 'fd00:10:96::/112'] });
after(() => server[Symbol.asyncDispose]());

const selector = { app: 'web' };
const timeoutMs = 30_000;

/** Waits until what is read is as it should be. */
async function until<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isThere(value)) return value;
    assert.ok(Date.now() < end, `still ${JSON.stringify(value)}`);
    await pause(20);
  }
}

async function fresh() {
  const namespace = await server.namespace();
  const name = namespace.slice(namespace.lastIndexOf('/') + 1);
  const slicesPath = `/apis/discovery.cluster.io/v1/namespaces/${name}/endpointslices`;
  const status = (pod: string, content: JsonObject) =>
    server.expect(200, 'PATCH', `${namespace}/pods/${pod}/status`, {
      body: { status: content },
      contentType: merge,
    });
  return {
    namespace,
    status,
    service: (spec: JsonObject = {}) =>
      server.expect(201, 'POST', `${namespace}/services`, {
        body: {
          metadata: { name: 's', labels: { l: '1' } },
          spec: { selector, ports: [{ port: 80 }], ...spec },
        },
      }),
    async pod(pod: string, ips: string[], ready = true) {
      const metadata = { name: pod, labels: selector };
      const spec = { containers: [{ name: 'c', image: 'i' }], serviceAccountName: 'default' };
      await server.expect(201, 'POST', `${namespace}/pods`, { body: { metadata, spec } });
      const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
      await status(pod, {
        phase: 'Running',
        podIP: ips[0] ?? '',
        podIPs: ips.map(ip => ({ ip })),
        conditions,
      });
    },
    async endpoints() {
      const { code, body } = await server.send('GET', `${namespace}/endpoints/s`);
      return code === 200 ? body : undefined;
    },
    async slices() {
      return asObjects((await server.expect(200, 'GET', slicesPath))['items']);
    },
    slicesPath,
  };
}

const ips = (subset: JsonObject | undefined, field: string): JsonValue[] =>
  asObjects(subset?.[field]).map(address => address['ip'] ?? '');
const sliceIps = (slices: readonly JsonObject[]): string[] =>
  slices.flatMap(slice => asObjects(slice['endpoints']).flatMap(one => asTexts(one['addresses']))).toSorted();

test('endpoints and slices follow the pods of a service', async () => {
  const { service, pod, status, endpoints, slices, namespace } = await fresh();
  await service();
  const empty = await until(endpoints, body => body !== undefined);
  assert.deepEqual([asObjects(empty?.['subsets']), at(empty, 'metadata', 'labels')], [[], { l: '1' }]);
  const [slice] = await until(slices, list => list.length === 1);
  assert.deepEqual([slice?.['addressType'], slice?.['endpoints']], ['IPv4', []]);
  assert.deepEqual(at(slice, 'metadata', 'labels'), {
    l: '1',
    'cluster.io/service-name': 's',
    'endpointslice.cluster.io/managed-by': 'endpointslice-controller.cluster.io',
    'kubernetes.io/service-name': 's',
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  });
  assert.equal(at(slice, 'metadata', 'ownerReferences', 0, 'kind'), 'Service');

  await pod('a', ['10.1.0.1']);
  await pod('b', ['10.1.0.2'], false);
  const first = async () => asObjects((await endpoints())?.['subsets'])[0];
  const subset = await until(
    first,
    one => ips(one, 'addresses').length + ips(one, 'notReadyAddresses').length === 2,
  );
  assert.deepEqual(
    [ips(subset, 'addresses'), ips(subset, 'notReadyAddresses')],
    [['10.1.0.1'], ['10.1.0.2']],
  );
  assert.deepEqual(subset?.['ports'], [{ port: 80, protocol: 'TCP' }]);
  const [filled] = await until(slices, list => list.length === 1 && sliceIps(list).length === 2);
  const conditions = asObjects(filled?.['endpoints']).map(one => asObject(one['conditions'])?.['ready']);
  assert.deepEqual(conditions.toSorted(), [false, true]);

  await status('b', { conditions: [{ type: 'Ready', status: 'True' }] });
  await until(first, one => ips(one, 'addresses').length === 2);
  await server.expect(200, 'DELETE', `${namespace}/pods/a?gracePeriodSeconds=0`);
  await until(first, one => ips(one, 'addresses').join() === '10.1.0.2');
  await until(slices, list => sliceIps(list).join() === '10.1.0.2');
});

test('deleted endpoints are recreated, except with their service', async () => {
  const { service, pod, endpoints, slices, slicesPath, namespace } = await fresh();
  await service();
  await pod('a', ['10.1.0.1']);
  await until(slices, list => sliceIps(list).length === 1);
  const uid = async () => at(await endpoints(), 'metadata', 'uid');
  const before = await until(uid, found => found !== undefined);
  await server.expect(200, 'DELETE', `${namespace}/endpoints/s`);
  await until(uid, found => found !== undefined && found !== before);
  await server.expect(200, 'DELETE', slicesPath);
  await until(slices, list => sliceIps(list).length === 1);
  await server.expect(200, 'DELETE', `${namespace}/services/s`);
  await until(slices, list => list.length === 0);
  await until(endpoints, body => body === undefined);
});

test('a dual-stack service has slices of both families', async () => {
  const { service, pod, slices } = await fresh();
  await service({ ipFamilyPolicy: 'RequireDualStack' });
  await pod('a', ['10.1.0.1', 'fd00::1']);
  const both = await until(slices, list => list.length === 2 && sliceIps(list).length === 2);
  assert.deepEqual(both.map(slice => slice['addressType']).toSorted(), ['IPv4', 'IPv6']);
});

test('endpoints of a service without a selector are not changed', async () => {
  const { namespace, endpoints, slices, service } = await fresh();
  const subsets = [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ port: 1, protocol: 'TCP' }] }];
  const metadata = { name: 'mine' };
  await server.expect(201, 'POST', `${namespace}/services`, {
    body: { metadata, spec: { ports: [{ port: 80 }] } },
  });
  await server.expect(201, 'POST', `${namespace}/endpoints`, { body: { metadata, subsets } });
  await service();
  await until(endpoints, body => body !== undefined);
  await until(slices, list => list.length === 1);
  const mine = await server.expect(200, 'GET', `${namespace}/endpoints/mine`);
  assert.deepEqual(mine['subsets'], subsets);
});
