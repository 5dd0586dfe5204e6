import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { understood } from '@binnacle/api-names';
import { ofCluster } from '@binnacle/api-names/testing';
import { type ApiServer, startApiServer, until } from './api-server.ts';

let server: ApiServer;
const groups = understood.groups.rbac;
const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete'];
const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };

before(async () => {
  server = await startApiServer();
  await server.namespace('z');
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
    {
      apiGroups: [groups[0]],
      resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
      verbs,
    },
    { apiGroups: [''], resources: ['users'], resourceNames: ['alice'], verbs: ['impersonate'] },
  ];
  await made('POST', `/apis/${groups[0]}/v1/clusterroles`, { metadata: { name: 'bob' }, rules });
  await made('POST', `/apis/${groups[0]}/v1/clusterrolebindings`, {
    metadata: { name: 'bob' },
    roleRef: { apiGroup: groups[0], kind: 'ClusterRole', name: 'bob' },
    subjects: [{ kind: 'User', apiGroup: groups[0], name: 'bob' }],
  });
  const roles = `/apis/${groups[0]}/v1/clusterroles`;
  await until('bob holds his rights', async () => (await asBob('GET', roles)).code === 200);
});
after(() => server?.[Symbol.asyncDispose]());

async function made(method: string, path: string, body: unknown): Promise<void> {
  const { code, text } = await server.call(method, path, { body });
  assert.ok(code === 200 || code === 201, text);
}

const asBob = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.call(method, path, { token: 'bobtoken', body, headers });
const patch = (type: string) => ({ 'content-type': `application/${type}` });

/** The ways to change an object that is there, by what they make of its new members. */
const ways: readonly [
  way: string,
  send: (path: string, object: object, members: object) => ReturnType<typeof asBob>,
][] = [
  ['an update', (path, object) => asBob('PUT', path, object)],
  ['a merge patch', (path, _, members) => asBob('PATCH', path, members, patch('merge-patch+json'))],
  [
    'a strategic merge patch',
    (path, _, members) => asBob('PATCH', path, members, patch('strategic-merge-patch+json')),
  ],
  [
    'a JSON patch',
    (path, _, members) =>
      asBob(
        'PATCH',
        path,
        Object.entries(members).map(([key, value]) => ({ op: 'add', path: `/${key}`, value })),
        patch('json-patch+json'),
      ),
  ],
  [
    'an apply',
    (path, object) => asBob('PATCH', `${path}?fieldManager=m&force=true`, object, patch('apply-patch+yaml')),
  ],
];

const kinds: readonly [resource: string, kind: string, scope: string][] = [
  ['clusterroles', 'ClusterRole', ''],
  ['roles', 'Role', '/namespaces/z'],
];
for (const group of groups)
  for (const [resource, kind, scope] of kinds) {
    const path = `/apis/${group}/v1${scope}/${resource}`;
    const object = (name: string, rules: readonly object[]) => ({
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name },
      rules,
    });

    test(`a user cannot create ${resource} of ${group} with more rights`, async () => {
      for (const rule of [
        everything,
        { ...everything, apiGroups: [groups.at(-1)], verbs: ['escalate', 'bind'] },
      ]) {
        const created = await asBob('POST', path, object('new', [rule]));
        assert.deepEqual([created.code, created.json.reason], [403, 'Forbidden'], created.text);
        const query = '?fieldManager=m';
        const applied = await asBob(
          'PATCH',
          `${path}/new${query}`,
          object('new', [rule]),
          patch('apply-patch+yaml'),
        );
        assert.equal(applied.code, 403, applied.text);
      }
      assert.equal((await server.call('GET', `${path}/new`)).code, 404);
    });

    for (const [way, send] of ways)
      test(`a user cannot add rights by ${way} of ${resource} of ${group}`, async () => {
        const name = `r-${way.replaceAll(' ', '-').toLowerCase()}-${groups.indexOf(group)}`;
        await made('POST', path, object(name, []));
        const answer = await send(`${path}/${name}`, object(name, [everything]), { rules: [everything] });
        assert.deepEqual([answer.code, answer.json.reason], [403, 'Forbidden'], answer.text);
        const { text } = await server.call('GET', `${path}/${name}`);
        assert.ok(!text.includes('"verbs"'), text);
      });
  }

for (const group of groups)
  for (const named of groups)
    test(`a user cannot bind a role of ${named} with a binding of ${group}`, async () => {
      const bound = (kind: string, name: string) => ({
        apiVersion: `${group}/v1`,
        metadata: { name: 'mine' },
        roleRef: { apiGroup: named, kind, name },
        subjects: [{ kind: 'User', apiGroup: named, name: 'bob' }],
      });
      for (const path of [
        `/apis/${group}/v1/clusterrolebindings`,
        `/apis/${group}/v1/namespaces/z/rolebindings`,
      ]) {
        const answer = await asBob('POST', path, bound('ClusterRole', 'cluster-admin'));
        assert.deepEqual([answer.code, answer.json.reason], [403, 'Forbidden'], answer.text);
        const applied = await asBob(
          'PATCH',
          `${path}/mine?fieldManager=m`,
          {
            ...bound('ClusterRole', 'admin'),
            kind:
              path.includes('cluster') && !path.includes('/namespaces/')
                ? 'ClusterRoleBinding'
                : 'RoleBinding',
          },
          patch('apply-patch+yaml'),
        );
        assert.equal(applied.code, 403, applied.text);
      }
    });

for (const group of groups)
  test(`an aggregation rule of ${group} needs all rights`, async () => {
    const answer = await asBob('POST', `/apis/${group}/v1/clusterroles`, {
      metadata: { name: 'gathers' },
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } }],
      },
    });
    assert.equal(answer.code, 403, answer.text);
  });

const identities: readonly Record<string, string>[] = [
  { 'impersonate-user': 'admin' },
  { 'impersonate-user': 'alice', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'alice', 'impersonate-uid': '1' },
  { 'impersonate-user': 'alice', 'impersonate-extra-scopes': 'x' },
  { 'impersonate-user': 'system:serviceaccount:kube-system:namespace-controller' },
  { 'impersonate-group': 'system:masters' },
];
for (const headers of identities)
  test(`a user cannot impersonate ${JSON.stringify(headers)}`, async () => {
    const answer = await asBob('GET', '/api/v1/namespaces/z/secrets', undefined, headers);
    assert.ok(answer.code === 403 || answer.code === 400, answer.text);
    assert.ok(!answer.text.includes('"items"'));
  });

const levels: readonly [own: string, other: string, code: number][] = [
  ['privileged', 'restricted', 403],
  ['restricted', 'privileged', 403],
  ['privileged', 'privileged', 201],
];
for (const [own, other, code] of levels)
  test(
    `a pod of the host is answered with ${code} if the labels are ${own} and ${other}`,
    ofCluster,
    async () => {
      const name = `${own}-${other}`;
      const labels = { 'pod-security.cluster.io/enforce': own, 'pod-security.kubernetes.io/enforce': other };
      await made('POST', '/api/v1/namespaces', { metadata: { name, labels } });
      await made('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'runs' } });
      const spec = { hostPID: true, serviceAccountName: 'runs', containers: [{ name: 'a', image: 'a' }] };
      const created = async () =>
        await server.call('POST', `/api/v1/namespaces/${name}/pods`, {
          body: { metadata: { name: 'p' }, spec },
        });
      const answer = await created();
      assert.equal(answer.code, code, answer.text);
      if (code === 403) assert.match(answer.json.message, /PodSecurity/);
    },
  );

test('the name label of a namespace is always its own name', async () => {
  const label = 'kubernetes.io/metadata.name';
  const path = '/api/v1/namespaces/named';
  await made('POST', '/api/v1/namespaces', {
    metadata: { name: 'named', labels: { [label]: 'kube-system' } },
  });
  const { json } = await server.call('GET', path);
  assert.equal(json.metadata.labels[label], 'named');
  const bodies: readonly [type: string, body: unknown][] = [
    ['merge-patch+json', { metadata: { labels: { [label]: 'kube-system' } } }],
    [
      'json-patch+json',
      [{ op: 'replace', path: '/metadata/labels/kubernetes.io~1metadata.name', value: 'x' }],
    ],
  ];
  for (const [type, body] of bodies) {
    const answer = await server.call('PATCH', path, { body, headers: patch(type) });
    assert.equal(answer.code, 200, answer.text);
    assert.equal(answer.json.metadata.labels[label], 'named');
  }
});
