import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeClientConfiguration } from '@binnacle/client';
import { until } from './api-server.ts';
import { startAuditedServer } from './audit-log.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { configMapRule, configurationsPath, patched } from './webhook-journey.ts';
import { startWebhooks } from './webhook-server.ts';

const maps = '/api/v1/namespaces/z/configmaps';
const group = 'webhook.admission.cluster.io';

test('audit events name webhooks at every level, and their patches from level Request', async () => {
  const operation = { op: 'add', path: '/data', value: { a: '1' } };
  await using hooks = await startWebhooks({
    '/patch': () => ({ ...patched(operation), auditAnnotations: { seen: 'yes' } }),
    '/probe': () => ({ allowed: false, status: { code: 418 } }),
  });
  await using audited = await startAuditedServer('- {level: Metadata, users: [alice]}\n- {level: Request}');
  const { server } = audited;
  await server.call('POST', '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings', {
    body: {
      metadata: { name: 'alice' },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.cluster.io' }],
    },
  });
  const webhook = (path: string) => ({
    name: `${path}.example.com`,
    clientConfig: { url: `${hooks.url}/${path}`, caBundle: hooks.caBundle },
    rules: [configMapRule],
    objectSelector: { matchLabels: { hook: path } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
  });
  const configuration = { metadata: { name: 'hooks' }, webhooks: [webhook('patch'), webhook('probe')] };
  const created = await server.call('POST', configurationsPath('mutating'), { body: configuration });
  assert.equal(created.code, 201, created.text);
  const body = (hook: string) => ({ metadata: { generateName: 'x-', labels: { hook } } });
  await until(
    'the webhooks are in effect',
    async () => (await server.call('POST', maps, { body: body('probe') })).code === 418,
  );
  const place = { configuration: 'hooks', webhook: 'patch.example.com' };
  const mutation = {
    [`mutation.${group}/round_0_index_0`]: JSON.stringify({ ...place, mutated: true }),
    'patch.example.com/seen': 'yes',
  };
  const annotationsFor = async (token: string) => {
    const { answer, event } = await audited.audited('POST', maps, { body: body('patch'), token });
    assert.equal(answer.code, 201, answer.text);
    const { annotations = {} } = event;
    return Object.fromEntries(
      Object.entries(annotations).filter(([key]) => !key.startsWith('authorization.')),
    );
  };
  await until(
    'alice may',
    async () => (await server.call('GET', maps, { token: 'alicetoken' })).code === 200,
  );
  assert.deepEqual(await annotationsFor('alicetoken'), mutation);
  assert.deepEqual(await annotationsFor('admintoken'), {
    ...mutation,
    [`patch.${group}/round_0_index_0`]: JSON.stringify({
      ...place,
      patch: [operation],
      patchType: 'JSONPatch',
    }),
  });
});

test('audit events have the authorization decision and its reason', async () => {
  const rbac = 'rbac.authorization.cluster.io';
  await using audited = await startAuditedServer('- {level: Metadata}');
  const { server } = audited;
  const bind = async (path: string, name: string, user: string) => {
    const body = {
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: user, apiGroup: rbac }],
    };
    const { code, text } = await server.call('POST', `/apis/${rbac}/v1/${path}`, { body });
    assert.equal(code, 201, text);
  };
  await bind('clusterrolebindings', 'viewers', 'alice');
  await bind('namespaces/z/rolebindings', 'guests', 'bob');
  for (const token of ['alicetoken', 'bobtoken'])
    await until('the binding counts', async () => (await server.call('GET', maps, { token })).code === 200);
  const cases: [method: string, token: string, code: number, decision: string, reason: string][] = [
    ['GET', 'admintoken', 200, 'allow', ''],
    [
      'GET',
      'alicetoken',
      200,
      'allow',
      'RBAC: allowed by ClusterRoleBinding "viewers" of ClusterRole "view" to User "alice"',
    ],
    [
      'GET',
      'bobtoken',
      200,
      'allow',
      'RBAC: allowed by RoleBinding "guests/z" of ClusterRole "view" to User "bob"',
    ],
    ['POST', 'bobtoken', 403, 'forbid', ''],
  ];
  for (const [method, token, code, decision, reason] of cases) {
    const body = method === 'POST' ? { body: { metadata: { name: 'x' } } } : {};
    const { answer, event } = await audited.audited(method, maps, { token, ...body });
    assert.equal(answer.code, code);
    assert.deepEqual(event.annotations, {
      'authorization.cluster.io/decision': decision,
      'authorization.cluster.io/reason': reason,
    });
  }
});

test('a failed authorizer gives no decision in the audit event', async () => {
  await using directory = await createTemporaryDirectory();
  const authorizationWebhookConfigFile = join(directory.path, 'webhook.yaml');
  const configuration = { servers: ['https://127.0.0.1:1'] };
  await writeClientConfiguration(authorizationWebhookConfigFile, configuration, { cluster: 'w', user: 'u' });
  await using audited = await startAuditedServer('- {level: Metadata}', {
    authorizationMode: ['RBAC', 'Webhook'],
    authorizationWebhookConfigFile,
  });
  const { answer, event } = await audited.audited('GET', maps, { token: 'bobtoken' });
  assert.equal(answer.code, 500, answer.text);
  assert.deepEqual(event.annotations, { 'authorization.cluster.io/reason': 'internal error' });
});
