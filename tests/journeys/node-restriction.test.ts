import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, type Call, startApiServer } from './api-server.ts';

const nodes = '/api/v1/nodes';
const own = `${nodes}/n1`;
const binding = '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings';
let server: ApiServer;

before(async () => {
  server = await startApiServer({ enableAdmissionPlugins: ['NodeRestriction'] });
  const bound = await server.call('POST', binding, {
    body: {
      metadata: { name: 'agents' },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'system:node' },
      subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'Group', name: 'system:nodes' }],
    },
  });
  assert.equal(bound.code, 201, bound.text);
});
after(() => server?.[Symbol.asyncDispose]());

/** A request of the agent of the node n1. */
async function asAgent(method: string, path: string, { body, headers = {} }: Call = {}) {
  const agent = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' };
  return await server.call(method, path, { body, headers: { ...headers, ...agent } });
}

const named = (labels: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels },
});

const refused = [
  'kubernetes.io/role',
  'node-role.kubernetes.io/control-plane',
  'k8s.io/pool',
  'cluster.io/role',
];

for (const label of refused)
  test(`a node agent cannot register its node with ${label}`, async () => {
    const answer = await asAgent('POST', nodes, { body: named({ [label]: 'x' }) });
    assert.deepEqual([answer.code, answer.json.reason], [403, 'Forbidden'], answer.text);
    assert.match(answer.json.message, new RegExp(`may not change these labels: ${label}`));
  });

test('a node agent registers its node with the labels of a kubelet', async () => {
  const labels = {
    'kubernetes.io/hostname': 'n1',
    'beta.kubernetes.io/os': 'linux',
    'topology.kubernetes.io/zone': 'z',
    'node.kubernetes.io/instance-type': 'large',
    'cluster.io/arch': 'amd64',
    own: 'x',
  };
  const answer = await asAgent('POST', nodes, { body: named(labels) });
  assert.equal(answer.code, 201, answer.text);
});

const pointer = (label: string) => `/metadata/labels/${label.replaceAll('~', '~0').replaceAll('/', '~1')}`;
const patch = (type: string) => ({ 'content-type': `application/${type}` });

/** The writes by which an agent may come to a label on its node. */
const ways: readonly [way: string, method: string, query: string, headers: Record<string, string>][] = [
  ['a merge patch', 'PATCH', '', patch('merge-patch+json')],
  ['a strategic merge patch', 'PATCH', '', patch('strategic-merge-patch+json')],
  ['a JSON patch', 'PATCH', '', patch('json-patch+json')],
  ['an apply', 'PATCH', '?fieldManager=m&force=true', patch('apply-patch+yaml')],
  ['an update', 'PUT', '', {}],
];

async function createBody(way: string, label: string): Promise<unknown> {
  if (way === 'a JSON patch') return [{ op: 'add', path: pointer(label), value: 'x' }];
  if (way !== 'an update') return named({ [label]: 'x' });
  const { json } = await server.call('GET', own);
  return { ...json, metadata: { ...json.metadata, labels: { ...json.metadata.labels, [label]: 'x' } } };
}

for (const subresource of ['', '/status'])
  for (const [way, method, query, headers] of ways)
    test(`a node agent cannot label its node by ${way} of nodes${subresource}`, async () => {
      for (const label of refused) {
        const body = await createBody(way, label);
        const answer = await asAgent(method, own + subresource + query, { body, headers });
        assert.deepEqual([answer.code, answer.json.reason], [403, 'Forbidden'], answer.text);
        assert.match(answer.json.message, /may not change these labels/);
      }
      const allowed = await asAgent(method, own + subresource + query, {
        body: await createBody(way, 'kubelet.kubernetes.io/x'),
        headers,
      });
      assert.equal(allowed.code, 200, allowed.text);
    });
