import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

const group = 'rbac.authorization.cluster.io';
const clusterRoles = `/apis/${group}/v1/clusterroles`;
const clusterRoleBindings = `/apis/${group}/v1/clusterrolebindings`;
const rule = (resource: string) => ({ verbs: ['get'], apiGroups: ['example.com'], resources: [resource] });

/** What this file looks at in roles and bindings. */
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

test('a role with a label joins view, and by it edit and admin', async () => {
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

test('a role under any name gathers others by every kind of selector', async () => {
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

test('a server that starts adds what default roles and bindings lack, unless they do not want it', async () => {
  await using directory = await createTemporaryDirectory();
  const bindings = ['system:discovery', 'system:basic-user'];
  const role = `${clusterRoles}/system:discovery`;
  {
    await using server = await startApiServer({ dataDir: directory.path });
    await send(server, 'PATCH', role, { rules: [rule('kept')] });
    for (const name of bindings)
      await send(server, 'PATCH', `${clusterRoleBindings}/${name}`, { subjects: null });
    const annotations = { [`${group}/autoupdate`]: 'false' };
    await send(server, 'PATCH', `${clusterRoleBindings}/system:basic-user`, { metadata: { annotations } });
  }
  await using server = await startApiServer({ dataDir: directory.path });
  const { rules } = await read(server, role);
  assert.equal(rules?.length, 2);
  const subjectsOf = async (name: string) =>
    ((await read(server, `${clusterRoleBindings}/${name}`)).subjects ?? []).map(subject => subject.name);
  assert.deepEqual(await subjectsOf('system:discovery'), ['system:authenticated']);
  assert.deepEqual(await subjectsOf('system:basic-user'), []);
});
