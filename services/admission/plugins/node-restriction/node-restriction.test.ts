import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { nodeRestriction } from './node-restriction.ts';

const agent = { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const plugin = pluginFrom(nodeRestriction, {
  objects: {
    '/v1/pods': [
      { metadata: { name: 'mine', namespace: 'a', uid: 'u-mine' }, spec: { nodeName: 'n1' } },
      { metadata: { name: 'other', namespace: 'a', uid: 'u-other' }, spec: { nodeName: 'n2' } },
    ],
    '/v1/nodes': [{ metadata: { name: 'n1', uid: 'u-n1' } }],
  },
});

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u-n1', controller: true };
const mirror = (metadata: object = {}, spec: object = {}): Partial<ReviewParts> => ({
  type: '/v1/pods',
  namespace: 'a',
  object: {
    metadata: {
      name: 'm',
      annotations: { 'cluster.io/config.mirror': 'x' },
      ownerReferences: [owner],
      ...metadata,
    },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], ...spec },
  } as never,
});
const podWrite = (name: string, parts: Partial<ReviewParts>): Partial<ReviewParts> => {
  const pod = { metadata: { name }, spec: { nodeName: name === 'mine' ? 'n1' : 'n2' } };
  return { type: '/v1/pods', namespace: 'a', name, oldObject: pod, ...parts };
};
const node = (labels: Record<string, string>, spec: object = {}, name = 'n1') =>
  ({ metadata: { name, labels }, spec }) as never;
const token = (reference: object): Partial<ReviewParts> => ({
  type: '/v1/serviceaccounts',
  subresource: 'token',
  namespace: 'a',
  name: 'sa',
  object: { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', ...reference } } } as never,
});
const update = { operation: 'UPDATE' } as const;
const claim = (status: object, spec: object = {}) => ({ metadata: { name: 'c' }, spec, status }) as never;

const cases: readonly [string, Partial<ReviewParts>, RegExp | 'allowed'][] = [
  ['its mirror pod', mirror(), 'allowed'],
  ['a pod that is no mirror', mirror({ annotations: {} }), /mirror pods only/],
  ['a mirror pod for another node', mirror({}, { nodeName: 'n2' }), /bound to it/],
  ['a mirror pod without an owner', mirror({ ownerReferences: [] }), /only owner/],
  ['a mirror pod of two owners', mirror({ ownerReferences: [owner, owner] }), /only owner/],
  ['a mirror pod of another owner', mirror({ ownerReferences: [{ ...owner, name: 'n2' }] }), /only owner/],
  ['an owner with another uid', mirror({ ownerReferences: [{ ...owner, uid: 'x' }] }), /uid of the owner/],
  [
    'an owner that waits',
    mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
    /blockOwnerDeletion/,
  ],
  ['a service account', mirror({}, { serviceAccountName: 'x' }), /service account/],
  ['pull secrets', mirror({}, { imagePullSecrets: [{ name: 's' }] }), /secrets/],
  ['a secret volume', mirror({}, { volumes: [{ name: 'v', secret: { secretName: 's' } }] }), /secrets/],
  [
    'a projected secret',
    mirror({}, { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }] }),
    /secrets/,
  ],
  [
    'a secret in the environment',
    mirror({}, { initContainers: [{ name: 'c', env: [{ valueFrom: { secretKeyRef: { name: 's' } } }] }] }),
    /secrets/,
  ],
  ['a config map', mirror({}, { volumes: [{ name: 'v', configMap: { name: 's' } }] }), /configmaps/],
  ['a claim', mirror({}, { volumes: [{ name: 'v', persistentVolumeClaim: {} }] }), /persistentvolumeclaims/],
  ['deletes its pod', podWrite('mine', { operation: 'DELETE' }), 'allowed'],
  ['deletes another pod', podWrite('other', { operation: 'DELETE' }), /bound to it/],
  ['updates its pod', podWrite('mine', { ...update, object: {} }), /not change them/],
  ['reports on its pod', podWrite('mine', { ...update, subresource: 'status', object: {} }), 'allowed'],
  [
    'reports on another pod',
    podWrite('other', { ...update, subresource: 'status', object: {} }),
    /bound to it/,
  ],
  [
    'labels through a status',
    podWrite('mine', { ...update, subresource: 'status', object: { metadata: { labels: { a: 'b' } } } }),
    /labels/,
  ],
  ['evicts its pod', { type: '/v1/pods', subresource: 'eviction', namespace: 'a', name: 'mine' }, 'allowed'],
  ['evicts another', { type: '/v1/pods', subresource: 'eviction', namespace: 'a', name: 'other' }, /bound/],
  ['binds a pod', { type: '/v1/pods', subresource: 'binding', namespace: 'a', name: 'mine' }, /subresources/],
  ['registers', { type: '/v1/nodes', object: node({ 'cluster.io/hostname': 'n1', own: 'x' }) }, 'allowed'],
  ['registers another', { type: '/v1/nodes', object: node({}, {}, 'n2') }, /other nodes/],
  [
    'registers with a restricted label',
    { type: '/v1/nodes', object: node({ 'sub.node-restriction.cluster.io/x': '' }) },
    /these labels: sub.node-restriction.cluster.io\/x/,
  ],
  [
    'changes labels that are left to it',
    {
      type: '/v1/nodes',
      name: 'n1',
      ...update,
      object: node({ 'kubelet.cluster.io/x': '2', 'topology.cluster.io/zone': 'z' }),
      oldObject: node({ 'a.node.cluster.io/y': '1' }),
    },
    'allowed',
  ],
  [
    'keeps a restricted label',
    {
      type: '/v1/nodes',
      name: 'n1',
      ...update,
      object: node({ 'node-restriction.cluster.io/x': '1', a: 'b' }),
      oldObject: node({ 'node-restriction.cluster.io/x': '1' }),
    },
    'allowed',
  ],
  [
    'drops a restricted label and one of the cluster',
    {
      type: '/v1/nodes',
      name: 'n1',
      ...update,
      object: node({}),
      oldObject: node({ 'node-restriction.cluster.io/x': '1', 'foo.cluster.io/y': '' }),
    },
    /these labels: foo.cluster.io\/y, node-restriction.cluster.io\/x/,
  ],
  [
    'drops a taint',
    {
      type: '/v1/nodes',
      name: 'n1',
      ...update,
      object: node({}),
      oldObject: node({}, { taints: [{ key: 'k', effect: 'NoSchedule' }] }),
    },
    /taints/,
  ],
  ['deletes itself', { type: '/v1/nodes', name: 'n1', operation: 'DELETE' }, /not delete itself/],
  ['a token of its pod', token({ name: 'mine', uid: 'u-mine' }), 'allowed'],
  ['a token of another pod', token({ name: 'other', uid: 'u-other' }), /other nodes/],
  ['a token of a pod without its uid', token({ name: 'mine' }), /needs the uid/],
  ['a token of an earlier pod', token({ name: 'mine', uid: 'x' }), /not that of the pod/],
  ['a token of a missing pod', token({ name: 'none', uid: 'x' }), /not found/],
  ['a token of a secret', token({ kind: 'Secret', name: 'mine', uid: 'x' }), /bound to a pod/],
  [
    'its lease',
    { type: 'coordination.cluster.io/v1/leases', namespace: 'cluster-node-lease', name: 'n1' },
    'allowed',
  ],
  [
    'another lease',
    { type: 'coordination.cluster.io/v1/leases', namespace: 'cluster-node-lease', name: 'n2' },
    /has its name/,
  ],
  [
    'a lease elsewhere',
    { type: 'coordination.cluster.io/v1/leases', namespace: 'default', name: 'n1' },
    /namespace of node leases/,
  ],
  ['its CSINode', { type: 'storage.cluster.io/v1/csinodes', name: 'n1' }, 'allowed'],
  ['another CSINode', { type: 'storage.cluster.io/v1/csinodes', name: 'n2' }, /has its name/],
  [
    'the capacity of a claim',
    {
      type: '/v1/persistentvolumeclaims',
      subresource: 'status',
      ...update,
      object: claim({ capacity: { storage: '2Gi' }, phase: 'Bound' }),
      oldObject: claim({ phase: 'Bound' }),
    },
    'allowed',
  ],
  [
    'the phase of a claim',
    {
      type: '/v1/persistentvolumeclaims',
      subresource: 'status',
      ...update,
      object: claim({ phase: 'Lost' }),
      oldObject: claim({ phase: 'Bound' }),
    },
    /capacity and the conditions/,
  ],
  ['a claim itself', { type: '/v1/persistentvolumeclaims', object: claim({}) }, /status of claims only/],
  ['a config map', { type: '/v1/configmaps', object: {} }, 'allowed'],
  [
    'an agent without a name',
    { type: '/v1/configmaps', object: {}, user: { ...agent, username: 'system:node:' } },
    /does not identify a node/,
  ],
  [
    'another user',
    { type: '/v1/nodes', name: 'n1', operation: 'DELETE', user: { ...agent, groups: [] } },
    'allowed',
  ],
];

for (const [what, parts, expected] of cases)
  test(`a node agent: ${what}: ${expected === 'allowed' ? 'allowed' : 'refused'}`, async () => {
    const review = createReview({ user: agent, type: '', ...parts });
    const outcome = Promise.resolve(plugin.mutate?.(review));
    if (expected === 'allowed') assert.equal(await outcome, 'unchanged');
    else await assert.rejects(outcome, expected);
  });

/** Labels of the cluster, by domain, that an agent may put on its node, and that it may not. */
const labels: readonly (readonly [label: string, isAgents: boolean])[] = [
  ...['cluster.io', 'kubernetes.io'].flatMap(project => [
    ...['hostname', 'arch', 'os'].map(name => [`${project}/${name}`, true] as const),
    ...['arch', 'os', 'instance-type'].map(name => [`beta.${project}/${name}`, true] as const),
    ...['region', 'zone'].flatMap(name => [
      [`topology.${project}/${name}`, true] as const,
      [`failure-domain.beta.${project}/${name}`, true] as const,
    ]),
    [`node.${project}/anything`, true] as const,
    [`kubelet.${project}/anything`, true] as const,
    [`sub.kubelet.${project}/anything`, true] as const,
    [`${project}/role`, false] as const,
    [`node-role.${project}/control-plane`, false] as const,
    [`topology.${project}/rack`, false] as const,
    [`sub.topology.${project}/zone`, false] as const,
    [`node-restriction.${project}/x`, false] as const,
    [`sub.node-restriction.${project}/x`, false] as const,
    [`beta.${project}/hostname`, false] as const,
  ]),
  ['k8s.io/x', false],
  ['sub.k8s.io/x', false],
  ['kubelet.k8s.io/x', false],
  ['node.k8s.io/x', false],
  ['topology.k8s.io/zone', false],
  ['node-restriction.k8s.io/x', false],
  ['notk8s.io/x', true],
  ['mykubernetes.io/x', true],
  ['kubernetes.io.example.com/x', true],
  ['example.com/kubernetes.io', true],
  ['plain', true],
];
const before = node({});

for (const [label, isAgents] of labels)
  test(`NodeRestriction ${isAgents ? 'allows' : 'refuses'} ${label} at every write of an agent's node`, async () => {
    const with1 = node({ [label]: '1' });
    const with2 = node({ [label]: '2' });
    const writes: readonly Partial<ReviewParts>[] = [
      { object: with1 },
      { ...update, name: 'n1', object: with1, oldObject: before },
      { ...update, name: 'n1', object: with2, oldObject: with1 },
      { ...update, name: 'n1', object: before, oldObject: with1 },
      { ...update, name: 'n1', subresource: 'status', object: with1, oldObject: before },
    ];
    for (const write of writes) {
      const review = createReview({ user: agent, type: '/v1/nodes', ...write });
      const outcome = Promise.resolve(plugin.mutate?.(review));
      if (isAgents) assert.equal(await outcome, 'unchanged');
      else await assert.rejects(outcome, { code: 403, message: new RegExp(`these labels: ${label}$`) });
    }
    const kept = createReview({
      ...update,
      user: agent,
      type: '/v1/nodes',
      name: 'n1',
      object: with1,
      oldObject: with1,
    });
    assert.equal(await plugin.mutate?.(kept), 'unchanged');
  });
