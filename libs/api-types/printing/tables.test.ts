import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createObject, findDefinition } from '../test-drivers/process.ts';

const now = Date.UTC(2024, 0, 1);

interface Case {
  readonly resource: string;
  readonly content: Record<string, unknown>;
  readonly cells: readonly unknown[];
}

const cases: readonly Case[] = [
  {
    resource: 'nodes',
    content: {},
    cells: ['a', 'Unknown', '<none>', '5d', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
  {
    resource: 'nodes',
    content: {
      metadata: { labels: { 'node-role.cluster.io/worker': '', 'cluster.io/role': 'edge', x: 'y' } },
      spec: { unschedulable: true },
      status: {
        conditions: [
          { type: 'DiskPressure', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
        addresses: [
          { type: 'ExternalIP', address: '1.2.3.4' },
          { type: 'InternalIP', address: '10.0.0.1' },
        ],
        nodeInfo: { kubeletVersion: 'v1', osImage: 'o', kernelVersion: 'k', containerRuntimeVersion: 'c' },
      },
    },
    cells: ['a', 'Ready,SchedulingDisabled', 'edge,worker', '5d', 'v1', '10.0.0.1', '1.2.3.4', 'o', 'k', 'c'],
  },
  {
    resource: 'nodes',
    content: { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
    cells: ['a', 'NotReady', '<none>', '5d', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
  {
    resource: 'persistentvolumes',
    content: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'n', name: 'c' },
        storageClassName: 's',
        volumeMode: 'Block',
      },
      status: { phase: 'Failed', reason: 'Broken' },
    },
    cells: ['a', '1Gi', 'RWO,ROX,RWX,RWOP', 'Retain', 'Failed', 'n/c', 's', 'Broken', '5d', 'Block'],
  },
  {
    resource: 'persistentvolumes',
    content: {
      metadata: {
        deletionTimestamp: '2024-01-01T00:00:00Z',
        annotations: { 'volume.beta.cluster.io/storage-class': 'early' },
      },
      status: { phase: 'Bound' },
    },
    cells: ['a', '0', '', '', 'Terminating', '', 'early', '', '5d', '<unset>'],
  },
  {
    resource: 'persistentvolumeclaims',
    content: { spec: { accessModes: ['ReadWriteOnce'] }, status: { phase: 'Pending' } },
    cells: ['a', 'Pending', '', '', '', '', '5d', '<unset>'],
  },
  {
    resource: 'persistentvolumeclaims',
    content: {
      spec: { volumeName: 'v', storageClassName: 's', volumeMode: 'Filesystem' },
      status: { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'] },
    },
    cells: ['a', 'Bound', 'v', '2Gi', 'RWO', 's', '5d', 'Filesystem'],
  },
  {
    resource: 'resourcequotas',
    content: {
      status: { hard: { pods: '4', 'limits.cpu': '2', 'requests.cpu': '1' }, used: { pods: '3' } },
    },
    cells: ['a', '5d', 'pods: 3/4, requests.cpu: 0/1', 'limits.cpu: 0/2'],
  },
  {
    resource: 'storageclasses',
    content: {
      metadata: { annotations: { 'storageclass.cluster.io/is-default-class': 'true' } },
      provisioner: 'p',
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    },
    cells: ['a (default)', 'p', 'Retain', 'Immediate', true, '5d'],
  },
  {
    resource: 'storageclasses',
    content: { provisioner: 'p' },
    cells: ['a', 'p', 'Delete', '<unset>', false, '5d'],
  },
  {
    resource: 'volumeattachments',
    content: {
      spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'v' } },
      status: { attached: true },
    },
    cells: ['a', 'd', 'v', 'n', true, '5d'],
  },
  {
    resource: 'csidrivers',
    content: {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        requiresRepublish: true,
        tokenRequests: [{ audience: 'x' }, { audience: 'y' }],
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
      },
    },
    cells: ['a', false, true, true, 'x,y', true, 'Persistent,Ephemeral', '5d'],
  },
  { resource: 'csidrivers', content: {}, cells: ['a', true, false, false, '<unset>', false, '<none>', '5d'] },
  { resource: 'csinodes', content: { spec: { drivers: [{}, {}] } }, cells: ['a', 2, '5d'] },
  {
    resource: 'csistoragecapacities',
    content: { storageClassName: 's', capacity: '1Gi' },
    cells: ['a', 's', '1Gi'],
  },
  { resource: 'csistoragecapacities', content: { storageClassName: 's' }, cells: ['a', 's', '<unset>'] },
  { resource: 'priorityclasses', content: { value: 7, globalDefault: true }, cells: ['a', 7, true, '5d'] },
  { resource: 'runtimeclasses', content: { handler: 'h' }, cells: ['a', 'h', '5d'] },
  {
    resource: 'endpointslices',
    content: { addressType: 'IPv4' },
    cells: ['a', 'IPv4', '<unset>', '<unset>', '5d'],
  },
  {
    resource: 'endpointslices',
    content: {
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'x' }, {}, { port: 81 }],
      endpoints: [{ addresses: ['1.1.1.1', '1.1.1.2'] }, { addresses: ['1.1.1.3', '1.1.1.4', '1.1.1.5'] }],
    },
    cells: ['a', 'IPv4', '80,x,* + 1 more...', '1.1.1.1,1.1.1.2,1.1.1.3 + 2 more...', '5d'],
  },
  { resource: 'ingresses', content: {}, cells: ['a', '<none>', '*', '', '80', '5d'] },
  {
    resource: 'ingresses',
    content: {
      spec: {
        ingressClassName: 'c',
        tls: [{}],
        rules: ['w', '', 'x', 'y', 'z'].map(host => ({ host })),
      },
      status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }, { hostname: 'h' }, { ip: '1.1.1.1' }] } },
    },
    cells: ['a', 'c', 'w,x,y + 1 more...', '1.1.1.1,h', '80, 443', '5d'],
  },
  {
    resource: 'ingressclasses',
    content: { spec: { controller: 'a.b/c', parameters: { apiGroup: 'g', kind: 'K', name: 'n' } } },
    cells: ['a', 'a.b/c', 'K.g/n', '5d'],
  },
  {
    resource: 'ingressclasses',
    content: { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } } },
    cells: ['a', 'a.b/c', 'K/n', '5d'],
  },
  { resource: 'ingressclasses', content: {}, cells: ['a', '', '<none>', '5d'] },
  {
    resource: 'networkpolicies',
    content: {
      spec: {
        podSelector: { matchLabels: { b: '2' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      },
    },
    cells: ['a', 'a,b=2', '5d'],
  },
  { resource: 'networkpolicies', content: { spec: { podSelector: {} } }, cells: ['a', '<none>', '5d'] },
  { resource: 'networkpolicies', content: { spec: {} }, cells: ['a', '<none>', '5d'] },
  {
    resource: 'networkpolicies',
    content: {
      spec: { podSelector: { matchExpressions: [{ key: 'k', operator: 'In', values: ['b', 'a'] }] } },
    },
    cells: ['a', 'k in (a,b)', '5d'],
  },
  {
    resource: 'networkpolicies',
    content: { spec: { podSelector: { matchExpressions: [{ key: 'k', operator: 'Like' }] } } },
    cells: ['a', '<error>', '5d'],
  },
];

describe('the cells of tables', () => {
  for (const { resource, content, cells } of cases)
    it(`${resource} ${JSON.stringify(content).slice(0, 60)}`, () => {
      const object = createObject(resource, content);
      object.metadata.creationTimestamp = '2023-12-27T00:00:00Z';
      assert.deepEqual(findDefinition(resource).rules.cells?.(object, now), cells);
    });
});
