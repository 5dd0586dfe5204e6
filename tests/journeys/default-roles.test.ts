import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotations as names } from '@binnacle/api-names';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const group = 'rbac.authorization.cluster.io';
const clusterRoles = `/apis/${group}/v1/clusterroles`;
const clusterRoleBindings = `/apis/${group}/v1/clusterrolebindings`;
const rule = (resource: string) => ({ verbs: ['get'], apiGroups: ['example.com'], resources: [resource] });

/** The parts of roles and bindings that this file looks at. */
interface RoleOrBinding {
  readonly rules: readonly { readonly resources?: readonly string[] }[] | null;
  readonly subjects?: readonly { readonly name: string }[];
}

async function read(server: ApiServer, path: string): Promise<RoleOrBinding> {
  const { code, text } = await server.call('GET', path);
  assert.equal(code, 200, text);
  return JSON.parse(text) as RoleOrBinding;
}

async function gathers(server: ApiServer, role: string, resource: string): Promise<boolean> {
  const { rules } = await read(server, `${clusterRoles}/${encodeURIComponent(role)}`);
  return (rules ?? []).some(({ resources = [] }) => resources.includes(resource));
}

async function send(server: ApiServer, method: string, path: string, body?: unknown): Promise<void> {
  const headers = method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {};
  const { code, text } = await server.call(method, path, { body, headers });
  assert.ok(code < 300, text);
}

test('a role with an aggregation label becomes part of view, and thereby of edit and admin', async () => {
  await using server = await startApiServer();
  const labels = { [`${group}/aggregate-to-view`]: 'true' };
  await send(server, 'POST', clusterRoles, {
    metadata: { name: 'gadgets', labels },
    rules: [rule('gadgets')],
  });
  for (const role of ['view', 'edit', 'admin'])
    await until(`${role} has the rule`, () => gathers(server, role, 'gadgets'));
  assert.ok(await gathers(server, 'view', 'configmaps'));

  await send(server, 'PATCH', `${clusterRoles}/gadgets`, { rules: [rule('gizmos')] });
  await until('admin has the other rule', () => gathers(server, 'admin', 'gizmos'));
  assert.ok(!(await gathers(server, 'view', 'gadgets')));

  await send(server, 'PATCH', `${clusterRoles}/view`, { rules: [rule('strange')] });
  await until('what was written into view is gone', async () => !(await gathers(server, 'view', 'strange')));
  await until('view has its rules', () => gathers(server, 'view', 'configmaps'));

  await send(server, 'DELETE', `${clusterRoles}/gadgets`);
  for (const role of ['view', 'edit', 'admin'])
    await until(`${role} lost the rule`, async () => !(await gathers(server, role, 'gizmos')));
  assert.ok(await gathers(server, 'admin', 'rolebindings'));
});

test('a role with an aggregation rule collects roles by every kind of selector', async () => {
  await using server = await startApiServer();
  const name = 'a?b#c:d e';
  const clusterRoleSelectors = [{ matchExpressions: [{ key: 'part', operator: 'In', values: ['x', 'y'] }] }];
  await send(server, 'POST', clusterRoles, { metadata: { name }, aggregationRule: { clusterRoleSelectors } });
  await send(server, 'POST', clusterRoles, {
    metadata: { name: 'part-y', labels: { part: 'y' } },
    rules: [rule('ys')],
  });
  await until('the rule is gathered', () => gathers(server, name, 'ys'));
});

test('a starting server completes default roles and bindings, unless they opt out', async () => {
  await using directory = await createTemporaryDirectory();
  const bindings = ['system:discovery', 'system:basic-user'];
  const role = `${clusterRoles}/system:discovery`;
  {
    await using server = await startApiServer({ dataDir: directory.path });
    await send(server, 'PATCH', role, { rules: [rule('kept')] });
    for (const name of bindings)
      await send(server, 'PATCH', `${clusterRoleBindings}/${name}`, { subjects: null });
    const annotations = { [names.rbacAutoupdate]: 'false' };
    await send(server, 'PATCH', `${clusterRoleBindings}/system:basic-user`, { metadata: { annotations } });
  }
  await using server = await startApiServer({ dataDir: directory.path });
  const { rules } = await read(server, role);
  assert.equal(rules?.length, 2);
  const readSubjects = async (name: string) =>
    ((await read(server, `${clusterRoleBindings}/${name}`)).subjects ?? []).map(subject => subject.name);
  assert.deepEqual(await readSubjects('system:discovery'), ['system:authenticated']);
  assert.deepEqual(await readSubjects('system:basic-user'), []);
});

const endpoints = '/api/v1/namespaces/team/endpoints';
const slices = '/apis/discovery.cluster.io/v1/namespaces/team/endpointslices';
const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }];
const slice = { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] };

/** Makes alice an editor, or bob an administrator, of the namespace. */
function bind(server: ApiServer, user: string, role: string): Promise<void> {
  return send(server, 'POST', `/apis/${group}/v1/namespaces/team/rolebindings`, {
    metadata: { name: `${user}-${role}` },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', apiGroup: group, name: user }],
  });
}

/** The codes of everything that a user does to endpoints and slices, and of a write to a config map. */
async function codesOfWrites(server: ApiServer, token: string): Promise<number[]> {
  const merge = { 'Content-Type': 'application/merge-patch+json' };
  const calls: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['POST', endpoints, { metadata: { name: 'web' }, subsets }],
    ['PUT', `${endpoints}/web`, { metadata: { name: 'web' }, subsets }],
    ['PATCH', `${endpoints}/web`, { subsets }],
    ['DELETE', `${endpoints}/web`],
    ['DELETE', endpoints],
    ['POST', slices, { metadata: { name: 'web' }, ...slice }],
    ['PUT', `${slices}/web`, { metadata: { name: 'web' }, ...slice }],
    ['PATCH', `${slices}/web`, slice],
    ['DELETE', `${slices}/web`],
    ['POST', slices.replace('.cluster.io', '.k8s.io'), { metadata: { name: 'other' }, ...slice }],
  ];
  const codes: number[] = [];
  for (const [method, path, body] of calls) {
    const headers = method === 'PATCH' ? merge : {};
    codes.push((await server.call(method, path, { token, body, headers })).code);
  }
  return codes;
}

test('editors and administrators of a namespace can read endpoints and cannot write them', async () => {
  await using server = await startApiServer();
  await server.namespace('team');
  await bind(server, 'alice', 'edit');
  await bind(server, 'bob', 'admin');
  for (const token of ['alicetoken', 'bobtoken']) {
    const configMap = { metadata: { generateName: 'c-' } };
    await until('the binding holds', async () => {
      const { code } = await server.call('POST', '/api/v1/namespaces/team/configmaps', {
        token,
        body: configMap,
      });
      return code === 201;
    });
    assert.deepEqual(await codesOfWrites(server, token), new Array(10).fill(403));
    for (const path of [endpoints, slices])
      assert.equal((await server.call('GET', path, { token })).code, 200);
  }
});

test('a server that starts on an older store removes the right to write endpoints', async () => {
  await using directory = await createTemporaryDirectory();
  const verbs = ['create', 'delete', 'deletecollection', 'patch', 'update'];
  const resources = [
    'configmaps',
    'endpoints',
    'persistentvolumeclaims',
    'pods',
    'replicationcontrollers',
    'serviceaccounts',
    'services',
    'events',
  ];
  const old = { verbs, apiGroups: [''], resources };
  const mine = { verbs: ['get'], apiGroups: ['mine.io'], resources: ['things'] };
  const writesEndpoints = async (server: ApiServer, role: string) => {
    const { rules } = await read(server, `${clusterRoles}/${encodeURIComponent(role)}`);
    return JSON.stringify(rules).includes(JSON.stringify(old.resources));
  };
  {
    await using server = await startApiServer({ dataDir: directory.path });
    await send(server, 'PATCH', `${clusterRoles}/system:aggregate-to-edit`, { rules: [mine, old] });
    await until('admin has it', () => writesEndpoints(server, 'admin'));
    await server.namespace('team');
    await bind(server, 'alice', 'edit');
    await until('alice may', async () => (await codesOfWrites(server, 'alicetoken'))[0] === 201);
  }
  await using server = await startApiServer({ dataDir: directory.path });
  await until('alice may not', async () =>
    (await codesOfWrites(server, 'alicetoken')).every(code => code === 403),
  );
  for (const role of ['system:aggregate-to-edit', 'edit', 'admin'])
    assert.equal(await writesEndpoints(server, role), false, role);
  const { rules } = await read(server, `${clusterRoles}/system:aggregate-to-edit`);
  assert.ok(
    rules?.some(({ resources: named = [] }) => named.includes('things')),
    'what was added stays',
  );
  const still = { token: 'alicetoken', body: { metadata: { name: 'still' } } };
  assert.equal((await server.call('POST', '/api/v1/namespaces/team/configmaps', still)).code, 201);
});
