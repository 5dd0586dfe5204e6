import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createObject, findDefinition } from '../test-drivers/process.ts';
import { ageSince, briefDuration } from './age.ts';

const now = Date.UTC(2024, 0, 1);
const hour = 3600;
const day = 24 * hour;

describe('durations', () => {
  for (const [seconds, text] of [
    [-2, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [599, '9m59s'],
    [600, '10m'],
    [3 * hour - 1, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 60, '3h1m'],
    [8 * hour, '8h'],
    [2 * day - 1, '47h'],
    [2 * day, '2d'],
    [2 * day + hour, '2d1h'],
    [8 * day, '8d'],
    [2 * 365 * day - 1, '729d'],
    [2 * 365 * day + day, '2y1d'],
    [8 * 365 * day + day, '8y'],
  ] as const) {
    it(`${seconds} s: ${text}`, () => assert.equal(briefDuration(seconds), text));
  }

  it('are <unknown> without a timestamp', () => {
    assert.equal(ageSince(undefined, now), '<unknown>');
    assert.equal(ageSince('2023-12-31T23:59:00Z', now), '60s');
  });
});

interface Case {
  readonly resource: string;
  readonly content: Record<string, unknown>;
  readonly cells: readonly unknown[];
}

const service = { clusterIPs: ['10.0.0.1'], ports: [{ port: 80, protocol: 'TCP' }] };
const running = (ready: boolean) => ({ ready, state: { running: {} }, restartCount: 0 });

const cases: readonly Case[] = [
  {
    resource: 'configmaps',
    content: { data: { a: '' }, binaryData: { b: '', c: '' } },
    cells: ['a', 3, '5d'],
  },
  { resource: 'secrets', content: { type: 'Opaque' }, cells: ['a', 'Opaque', 0, '5d'] },
  { resource: 'serviceaccounts', content: { secrets: [{}] }, cells: ['a', 1, '5d'] },
  { resource: 'namespaces', content: { status: { phase: 'Active' } }, cells: ['a', 'Active', '5d'] },
  {
    resource: 'services',
    content: { spec: { ...service, type: 'ClusterIP', selector: { b: '2', a: '1' } } },
    cells: ['a', 'ClusterIP', '10.0.0.1', '<none>', '80/TCP', '5d', 'a=1,b=2'],
  },
  {
    resource: 'services',
    content: { spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30000, protocol: 'UDP' }] } },
    cells: ['a', 'LoadBalancer', '<none>', '<pending>', '80:30000/UDP', '5d', '<none>'],
  },
  {
    resource: 'services',
    content: {
      spec: { ...service, type: 'LoadBalancer', externalIPs: ['2.2.2.2'] },
      status: { loadBalancer: { ingress: [{ hostname: 'h' }] } },
    },
    cells: ['a', 'LoadBalancer', '10.0.0.1', 'h,2.2.2.2', '80/TCP', '5d', '<none>'],
  },
  {
    resource: 'services',
    content: { spec: { type: 'ExternalName', externalName: 'e.com' } },
    cells: ['a', 'ExternalName', '<none>', 'e.com', '<none>', '5d', '<none>'],
  },
  { resource: 'endpoints', content: {}, cells: ['a', '<none>', '5d'] },
  {
    resource: 'endpoints',
    content: {
      subsets: [
        { addresses: ['1.1.1.1', '::1', '1.1.1.3', '1.1.1.4'].map(ip => ({ ip })), ports: [{ port: 80 }] },
        { addresses: [{ ip: '1.1.1.5' }] },
      ],
    },
    cells: ['a', '1.1.1.1:80,[::1]:80,1.1.1.3:80 + 2 more...', '5d'],
  },
  { resource: 'leases', content: { spec: { holderIdentity: 'h' } }, cells: ['a', 'h', '5d'] },
  { resource: 'roles', content: {}, cells: ['a', '2023-12-27T00:00:00Z'] },
  {
    resource: 'rolebindings',
    content: {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'User', name: 'v' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    },
    cells: ['a', 'Role/r', '5d', 'u, v', 'g', 'n/s'],
  },
  { resource: 'validatingwebhookconfigurations', content: { webhooks: [{}, {}] }, cells: ['a', 2, '5d'] },
  {
    resource: 'events',
    content: {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec' },
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: '2023-12-31T23:00:00Z',
      lastTimestamp: '2023-12-31T23:59:00Z',
      count: 4,
      type: 'Normal',
      reason: 'Pulled',
      message: 'done\n',
    },
    cells: ['60s', 'Normal', 'Pulled', 'pod/p', 'spec', 'kubelet, n1', 'done', '60m', 4, 'a'],
  },
];

function listCells(resource: string, content: Record<string, unknown>): readonly unknown[] {
  const object: ApiObject = createObject(resource, content);
  object.metadata.creationTimestamp = '2023-12-27T00:00:00Z';
  return findDefinition(resource).rules.cells?.(object, now) ?? [];
}

describe('table cells', () => {
  for (const { resource, content, cells } of cases)
    it(`${resource}: ${cells.join(' | ')}`, () => assert.deepEqual(listCells(resource, content), cells));
});

const podCases: readonly (readonly [summary: string, content: Record<string, unknown>])[] = [
  ['Pending', { status: { phase: 'Pending' } }],
  ['Evicted', { status: { phase: 'Failed', reason: 'Evicted' } }],
  ['Terminating', { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' }, status: { phase: 'Running' } }],
  [
    'ImagePullBackOff',
    { status: { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] } },
  ],
  ['ExitCode:3', { status: { containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] } }],
  ['Signal:9', { status: { containerStatuses: [{ state: { terminated: { signal: 9 } } }] } }],
  [
    'Init:0/2',
    { spec: { initContainers: [{}, {}] }, status: { initContainerStatuses: [{ state: { running: {} } }] } },
  ],
  [
    'Init:Error',
    { status: { initContainerStatuses: [{ state: { terminated: { exitCode: 1, reason: 'Error' } } }] } },
  ],
  [
    'Init:1/2',
    {
      spec: { initContainers: [{}, {}] },
      status: {
        initContainerStatuses: [
          { state: { terminated: { exitCode: 0 } } },
          { state: { waiting: { reason: 'PodInitializing' } } },
        ],
      },
    },
  ],
  [
    'NotReady',
    { status: { containerStatuses: [{ state: { terminated: { reason: 'Completed' } } }, running(true)] } },
  ],
];

describe('the status cell of a pod', () => {
  for (const [summary, content] of podCases)
    it(summary, () => assert.equal(listCells('pods', content)[2], summary));

  it('is beside readiness, restarts, addresses and gates', () => {
    const cells = listCells('pods', {
      spec: { nodeName: 'n1', containers: [{}, {}], readinessGates: [{ conditionType: 'a/b' }] },
      status: {
        phase: 'Running',
        podIP: '10.1.1.1',
        conditions: [{ type: 'a/b', status: 'True' }],
        containerStatuses: [
          {
            ...running(true),
            restartCount: 2,
            lastState: { terminated: { finishedAt: '2023-12-31T23:59:30Z' } },
          },
          running(false),
        ],
      },
    });
    assert.deepEqual(cells, ['a', '1/2', 'Running', '2 (30s ago)', '5d', '10.1.1.1', 'n1', '<none>', '1/1']);
  });
});
