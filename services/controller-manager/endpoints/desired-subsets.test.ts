import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { desiredSubsets, mostAddresses } from './desired-subsets.ts';
import { type AddressFamily, createPodEndpoint, trimPod } from './pod-endpoint.ts';

const service = (spec: object = {}): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', namespace: 'n' },
    spec: { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }], ...spec },
  }) as ApiObject;

interface PodFacts {
  readonly ip?: string;
  readonly ready?: boolean;
  readonly deleted?: boolean;
  readonly phase?: string;
  readonly spec?: object;
}

function pod(
  name: string,
  { ip = '10.0.0.1', ready = true, deleted = false, phase = 'Running', spec = {} }: PodFacts = {},
) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'n',
      uid: `u-${name}`,
      ...(deleted && { deletionTimestamp: '2020-01-01T00:00:00Z' }),
    },
    spec: { nodeName: 'node', ...spec },
    status: {
      phase,
      ...(ip !== '' && { podIP: ip, podIPs: [{ ip }, { ip: 'fd00::1' }] }),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  } as unknown as ApiObject; // Has the shape of a pod.
}

const listSubsets = (of: ApiObject, pods: readonly ApiObject[], family: AddressFamily = 'IPv4') =>
  desiredSubsets(pods.flatMap(one => createPodEndpoint(of, trimPod(one), family) ?? []));
const address = (ip: string, name: string) => ({
  ip,
  nodeName: 'node',
  targetRef: { kind: 'Pod', namespace: 'n', name, uid: `u-${name}` },
});
const ports = [{ port: 8080, protocol: 'TCP' }];

test('ready and unready pods are sorted by address', () => {
  const pods = [pod('b', { ip: '10.0.0.2' }), pod('a'), pod('c', { ip: '10.0.0.3', ready: false })];
  assert.deepEqual(listSubsets(service(), pods), [
    {
      addresses: [address('10.0.0.1', 'a'), address('10.0.0.2', 'b')],
      notReadyAddresses: [address('10.0.0.3', 'c')],
      ports,
    },
  ]);
});

const absent: readonly [string, PodFacts][] = [
  ['without an address', { ip: '' }],
  ['that has ended', { phase: 'Succeeded' }],
  ['that has failed', { phase: 'Failed' }],
  ['that is being deleted', { deleted: true }],
  ['with addresses of another family alone', { ip: 'fd00::2' }],
];
for (const [what, facts] of absent)
  test(`a pod ${what} is in no subset`, () =>
    assert.deepEqual(listSubsets(service(), [pod('a', facts)]), []));

test('the addresses are of the given family, and all are ready with publishNotReadyAddresses', () => {
  const dual = service({ publishNotReadyAddresses: true });
  assert.deepEqual(listSubsets(dual, [pod('a', { ready: false })], 'IPv6'), [
    { addresses: [address('fd00::1', 'a')], ports },
  ]);
});

test('named ports are resolved for each pod, with one subset for each set of ports', () => {
  const named = service({
    ports: [
      { name: 'web', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
      { name: 'dns', port: 53, targetPort: 'dns', protocol: 'UDP' },
    ],
  });
  const withPorts = (...list: object[]) => ({ containers: [{ ports: list }] });
  const http = (containerPort: number) => ({ name: 'http', containerPort, protocol: 'TCP' });
  const pods = [
    pod('a', { spec: withPorts(http(8081)) }),
    pod('b', {
      ip: '10.0.0.2',
      spec: withPorts(http(8082), { name: 'dns', containerPort: 53, protocol: 'UDP' }),
    }),
    pod('c', { ip: '10.0.0.3', spec: withPorts({ name: 'dns', containerPort: 53, protocol: 'TCP' }) }),
  ];
  assert.deepEqual(
    listSubsets(named, pods).map(subset => subset.ports),
    [
      [{ name: 'web', port: 8081, protocol: 'TCP', appProtocol: 'http' }],
      [
        { name: 'web', port: 8082, protocol: 'TCP', appProtocol: 'http' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    ],
  );
});

test('a headless service without ports has addresses only, with host names of pods in its subdomain', () => {
  const headless = service({ clusterIP: 'None', ports: undefined });
  const spec = { hostname: 'h', subdomain: 's' };
  assert.deepEqual(listSubsets(headless, [pod('a', { spec })]), [
    { addresses: [{ hostname: 'h', ...address('10.0.0.1', 'a') }] },
  ]);
  const elsewhere = listSubsets(headless, [pod('a', { spec: { ...spec, subdomain: 'other' } })]);
  assert.deepEqual(elsewhere, [{ addresses: [address('10.0.0.1', 'a')] }]);
});

test('ready addresses are kept when there are too many', () => {
  const pods = Array.from({ length: mostAddresses + 50 }, (_, i) =>
    pod(`p${i}`, { ip: `10.1.${i >> 8}.${i & 255}`, ready: i >= 100 }),
  );
  const [subset] = listSubsets(service(), pods);
  assert.equal(subset?.addresses?.length, mostAddresses - 50);
  assert.equal(subset?.notReadyAddresses?.length, 50);
});
