import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type ApiServer, startApiServer, until } from './api-server.ts';

const group = 'rbac.authorization.cluster.io';
const rbac = `/apis/${group}/v1`;
const roles = `${rbac}/namespaces/z/roles`;
const bindings = `${rbac}/namespaces/z/rolebindings`;
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** The verbs that bob holds within namespace z. `bind` and `escalate` are not among them, as they would be by a wildcard. */
const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete'];
const held: readonly Rule[] = [
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
  { apiGroups: [group], resources: ['roles', 'rolebindings'], verbs },
  { apiGroups: ['coordination.cluster.io'], resources: ['leases'], verbs: ['get', 'update'] },
];
const reading: readonly Rule[] = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
const readingSecrets: readonly Rule[] = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];

let server: ApiServer;

before(async () => {
  server = await startApiServer();
  await server.namespace('z');
  await grant('bob', held);
  await until('bob holds his rights', async () => (await send('GET', roles)).code === 200);
});
after(() => server?.[Symbol.asyncDispose]());

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.call(method, path, { token: 'bobtoken', body, headers });
const role = (name: string, rules: readonly Rule[]) => ({ metadata: { name }, rules });
const binding = (name: string, to: string, kind = 'Role', user = 'bob') => ({
  metadata: { name },
  roleRef: { apiGroup: group, kind, name: to },
  subjects: [{ kind: 'User', apiGroup: group, name: user }],
});

async function asAdmin(code: number, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await server.call(method, path, { body });
  assert.equal(answer.code, code, answer.text);
  return answer;
}

/** Gives a user rights in namespace z; takes the name of the role from the user's. */
async function grant(user: string, rules: readonly Rule[], suffix = 'own'): Promise<() => Promise<void>> {
  const name = `${user}-${suffix}`;
  await asAdmin(201, 'POST', roles, role(name, rules));
  await asAdmin(201, 'POST', bindings, binding(name, name, 'Role', user));
  return async () => {
    await asAdmin(200, 'DELETE', `${bindings}/${name}`);
    await asAdmin(200, 'DELETE', `${roles}/${name}`);
  };
}

function assertEscalation(answer: Answer, name: string, missing: readonly string[]): void {
  assert.equal(answer.code, 403, answer.text);
  assert.equal(answer.json.reason, 'Forbidden');
  assert.equal(answer.json.details.name, name);
  const [first, ...lines] = answer.json.message.split('\n');
  assert.match(first ?? '', /forbidden: user "bob" \(groups=\["system:authenticated"\]\)/);
  assert.deepEqual(lines, missing);
}

const getSecrets = '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';

test('a role can have at most the rights of its author', async () => {
  assert.equal((await send('POST', roles, role('reader', reading))).code, 201);
  assertEscalation(await send('POST', roles, role('spy', readingSecrets)), 'spy', [getSecrets]);
  assertEscalation(await send('POST', `${roles}?dryRun=All`, role('spy', readingSecrets)), 'spy', [
    getSecrets,
  ]);
  assertEscalation(await send('PUT', `${roles}/reader`, role('reader', readingSecrets)), 'reader', [
    getSecrets,
  ]);
  assertEscalation(await send('PATCH', `${roles}/reader`, { rules: readingSecrets }, mergePatch), 'reader', [
    getSecrets,
  ]);
  const add = [{ op: 'add', path: '/rules/-', value: readingSecrets[0] }];
  assertEscalation(
    await send('PATCH', `${roles}/reader`, add, { 'Content-Type': 'application/json-patch+json' }),
    'reader',
    [getSecrets],
  );
  assert.equal((await asAdmin(200, 'GET', `${roles}/reader`)).json.metadata.name, 'reader');
});

test('a role beyond the rights of a user can be changed only without granting more', async () => {
  await asAdmin(201, 'POST', roles, role('strong', readingSecrets));
  const patch = async (body: unknown) => await send('PATCH', `${roles}/strong`, body, mergePatch);
  assert.equal((await patch({})).code, 200);
  assert.equal((await patch({ metadata: { finalizers: ['example.com/x'] } })).code, 200);
  assert.equal((await patch({ metadata: { finalizers: null } })).code, 200);
  assertEscalation(await patch({ metadata: { labels: { a: 'b' } } }), 'strong', [getSecrets]);
  assert.equal((await patch({ rules: [] })).code, 200, 'rights may be taken away');
});

test('a user cannot bind a role with more than their own rights', async () => {
  assertEscalation(await send('POST', bindings, binding('mine', 'cluster-admin', 'ClusterRole')), 'mine', [
    '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
    '{NonResourceURLs:["*"], Verbs:["*"]}',
  ]);
  assert.equal((await send('POST', bindings, binding('carols', 'bob-own', 'Role', 'carol'))).code, 201);
  const missing = await send('POST', bindings, binding('lost', 'nosuch'));
  assert.equal(missing.code, 404, missing.text);
  assert.equal(missing.json.details.kind, 'roles');
  assert.equal(missing.json.details.name, 'nosuch');
  await asAdmin(201, 'POST', bindings, binding('lost', 'nosuch'));
});

test('a user can add a subject to a binding only if they could create it', async () => {
  await asAdmin(201, 'POST', roles, role('keeper', readingSecrets));
  await asAdmin(201, 'POST', bindings, binding('keepers', 'keeper', 'Role', 'carol'));
  const { subjects } = binding('keepers', 'keeper');
  assertEscalation(await send('PATCH', `${bindings}/keepers`, { subjects }, mergePatch), 'keepers', [
    getSecrets,
  ]);
  assert.equal((await send('DELETE', `${bindings}/keepers`)).code, 200, 'rights may be taken away');
});

test('a rule on single names is covered by rules on the same names only', async () => {
  const take = await grant(
    'bob',
    [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] }],
    'named',
  );
  const named = (name: string) =>
    role('named', [{ ...readingSecrets[0], verbs: ['get'], resourceNames: [name] }]);
  const code = async (name: string) => (await send('POST', `${roles}?dryRun=All`, named(name))).code;
  await until('the name is held', async () => (await code('a')) === 201);
  assert.equal(await code('b'), 403);
  assertEscalation(await send('POST', roles, role('all', readingSecrets)), 'all', [getSecrets]);
  await take();
});

test('a user with the verb bind can bind a role, and with the verb escalate write it', async () => {
  const take = await grant(
    'bob',
    [
      { apiGroups: [group], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] },
      { apiGroups: [group], resources: ['roles'], resourceNames: ['raised'], verbs: ['escalate'] },
    ],
    'special',
  );
  await asAdmin(201, 'POST', roles, role('raised', []));
  const bindView = async () => await send('POST', bindings, binding('viewer', 'view', 'ClusterRole'));
  await until('the right to bind counts', async () => (await bindView()).code === 201);
  assert.equal((await send('PUT', `${roles}/raised`, role('raised', readingSecrets))).code, 200);
  assert.equal((await send('POST', roles, role('raised-too', readingSecrets))).code, 403);
  assert.equal((await send('POST', bindings, binding('editor', 'edit', 'ClusterRole'))).code, 403);
  await take();
});

test('an aggregation rule needs all rights', async () => {
  const clusterRoles = `${rbac}/clusterroles`;
  const aggregated = {
    metadata: { name: 'gatherer' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  };
  await asAdmin(
    201,
    'POST',
    clusterRoles,
    role('writer', [{ apiGroups: [group], resources: ['clusterroles'], verbs: ['create'] }]),
  );
  await asAdmin(201, 'POST', `${rbac}/clusterrolebindings`, binding('writer', 'writer', 'ClusterRole'));
  await until(
    'bob may create cluster roles',
    async () => (await send('POST', `${clusterRoles}?dryRun=All`, role('empty', []))).code === 201,
  );
  const refused = await send('POST', clusterRoles, aggregated);
  assert.equal(refused.code, 403);
  assert.match(refused.json.message, /aggregationRule/);
  await asAdmin(201, 'POST', clusterRoles, aggregated);
});

test('an update that creates needs the permission to create', async () => {
  const path = '/apis/coordination.cluster.io/v1/namespaces/z/leases';
  const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'x' } };
  const refused = await send('PUT', `${path}/l`, lease);
  assert.equal(refused.code, 403, refused.text);
  assert.match(refused.json.message, /cannot create resource "leases"/);
  const created = await asAdmin(201, 'PUT', `${path}/l`, lease);
  assert.equal((await send('PUT', `${path}/l`, created.json)).code, 200);
});
