import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeClientConfiguration } from '@binnacle/client';
import { createPki, loadTls } from '@binnacle/tls';
import { type ApiServer, type Call, startApiServer, until } from './api-server.ts';
import { findPort } from './setup/find-port.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const secrets = '/api/v1/namespaces/z/secrets';
const reviews = '/apis/authorization.cluster.io/v1';

const node = (name: string): Call => ({
  headers: { 'Impersonate-User': `system:node:${name}`, 'Impersonate-Group': 'system:nodes' },
});

async function create(server: ApiServer, path: string, body: object): Promise<void> {
  const { code, text } = await server.call('POST', path, { body });
  assert.equal(code, 201, text);
}

async function requestCode(server: ApiServer, path: string, call: Call): Promise<number> {
  return (await server.call('GET', path, call)).code;
}

test('a node reads the secrets of its own pods only', async () => {
  await using server = await startApiServer({ authorizationMode: ['Node', 'RBAC'] });
  await server.namespace('z');
  for (const name of ['own', 'mounting', 'other'])
    await create(server, secrets, { metadata: { name }, stringData: { k: 'v' } });
  const container = { name: 'c', image: 'i', envFrom: [{ secretRef: { name: 'own' } }] };
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  await until('the service account of pods is there', async () => {
    const account = await server.call('GET', '/api/v1/namespaces/z/serviceaccounts/default');
    return account.code === 200;
  });
  await create(server, '/api/v1/namespaces/z/pods', {
    metadata: { name: 'p' },
    spec: { nodeName: 'n1', containers: [container], volumes },
  });
  await until(
    'n1 has the secret of its pod',
    async () => (await requestCode(server, `${secrets}/own`, node('n1'))) === 200,
  );
  assert.equal(await requestCode(server, `${secrets}/own`, node('n2')), 403);
  assert.equal(await requestCode(server, secrets, node('n1')), 403);
  const refused = await server.call('GET', `${secrets}/other`, node('n1'));
  assert.equal(refused.code, 403);
  assert.match(refused.json.message, /: no relationship found between node 'n1' and this object$/);

  assert.equal(await requestCode(server, `${secrets}/mounting`, node('n1')), 403);
  await create(server, '/api/v1/persistentvolumes', {
    metadata: { name: 'pv' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { namespace: 'z', name: 'data' },
      csi: {
        driver: 'd',
        volumeHandle: 'h',
        nodeStageSecretRef: { namespace: 'z', name: 'mounting' },
      },
    },
  });
  await until(
    'n1 has the secret that mounts the volume of its claim',
    async () => (await requestCode(server, `${secrets}/mounting`, node('n1'))) === 200,
  );
  assert.equal(await requestCode(server, '/api/v1/persistentvolumes/pv', node('n1')), 200);
  assert.equal(await requestCode(server, '/api/v1/persistentvolumes/pv', node('n2')), 403);
  assert.equal(await requestCode(server, '/api/v1/pods', node('n1')), 200);

  const rules = await server.call('POST', `${reviews}/selfsubjectrulesreviews`, {
    ...node('n1'),
    body: { spec: { namespace: 'z' } },
  });
  assert.match(rules.text, /"incomplete":true/);
  assert.match(rules.text, /"evaluationError":"node authorizer does not support user rule resolution"/);

  await server.call('DELETE', '/api/v1/namespaces/z/pods/p?gracePeriodSeconds=0');
  await until(
    'n1 has lost the secret with its pod',
    async () => (await requestCode(server, `${secrets}/own`, node('n1'))) === 403,
  );
});

test('a policy file grants rights in addition to roles, and a mode without its file is refused', async () => {
  await using directory = await createTemporaryDirectory();
  const authorizationPolicyFile = join(directory.path, 'policies');
  const policy = {
    apiVersion: 'abac.authorization.cluster.io/v1beta1',
    kind: 'Policy',
    spec: { user: 'bob', namespace: 'z', resource: 'secrets', readonly: true },
  };
  await writeFile(authorizationPolicyFile, `# bob\n${JSON.stringify(policy)}\n`);
  const authorizationMode = ['RBAC', 'ABAC'] as const;
  await using server = await startApiServer({ authorizationMode, authorizationPolicyFile });
  await server.namespace('z');
  assert.equal(await requestCode(server, secrets, { token: 'bobtoken' }), 200);
  assert.equal(await requestCode(server, secrets, { token: 'alicetoken' }), 403);
  const { code, json } = await server.call('POST', secrets, { token: 'bobtoken', body: {} });
  assert.equal(code, 403);
  assert.match(json.message, /: No policy matched\.$/);

  await assert.rejects(startApiServer({ authorizationMode }), /--authorization-policy-file/);
  await writeFile(authorizationPolicyFile, '{"user":"bob"}\n');
  await assert.rejects(
    startApiServer({ authorizationMode, authorizationPolicyFile }),
    /policies, line 1: lines/,
  );
});

test('AlwaysDeny refuses all users except administrators', async () => {
  await using server = await startApiServer({ authorizationMode: ['AlwaysDeny'] });
  const refused = await server.call('GET', '/api', { token: 'bobtoken' });
  assert.equal(refused.code, 403);
  assert.match(refused.json.message, /: Everything is forbidden\.$/);
  assert.equal((await server.call('GET', '/api')).code, 200);
});

test('the webhook decides where roles do not grant, and only those requests fail while it is down', async () => {
  await using directory = await createTemporaryDirectory();
  await using webhook = await startWebhook(directory.path);
  await using server = await startApiServer({
    authorizationMode: ['RBAC', 'Webhook'],
    authorizationWebhookConfigFile: webhook.file,
    authorizationWebhookVersion: 'v1',
    authorizationWebhookCacheAuthorizedTtl: 0,
    authorizationWebhookCacheUnauthorizedTtl: 0,
  });
  await server.namespace('z');
  webhook.answer = { allowed: true };
  assert.equal(await requestCode(server, secrets, { token: 'bobtoken' }), 200);
  assert.deepEqual(webhook.asked.at(-1), {
    resourceAttributes: { verb: 'list', version: 'v1', resource: 'secrets', namespace: 'z' },
    user: 'bob',
    uid: 'u-bob',
    groups: ['system:authenticated'],
  });
  webhook.answer = { allowed: false, denied: true, reason: 'not on Sundays' };
  const denied = await server.call('GET', secrets, { token: 'bobtoken' });
  assert.equal(denied.code, 403);
  assert.match(denied.json.message, /: not on Sundays$/);
  const body = { spec: { resourceAttributes: { verb: 'list', resource: 'secrets', namespace: 'z' } } };
  const review = () =>
    server.call('POST', `${reviews}/selfsubjectaccessreviews`, { token: 'bobtoken', body });
  assert.match((await review()).text, /"status":\{"allowed":false,"denied":true,"reason":"not on Sundays"\}/);
  const ready = async () => await server.call('GET', '/readyz?verbose');
  assert.match((await ready()).text, /^\[\+\]authorization-webhook ok$/m);

  webhook.answer = 'none';
  const failed = await server.call('GET', secrets, { token: 'bobtoken' });
  assert.equal(failed.code, 500);
  assert.match(failed.json.message, /the authorization webhook failed/);
  assert.match((await review()).text, /"evaluationError":"[^"]*the authorization webhook failed"/);
  assert.equal(await requestCode(server, '/api', { token: 'bobtoken' }), 200);
  const { code, text } = await ready();
  assert.equal(code, 200);
  assert.match(text, /^\[-\]authorization-webhook failed/m);
});

test('an unresponsive webhook delays a request up to its timeout only, with impersonation too', async () => {
  await using directory = await createTemporaryDirectory();
  await using webhook = await startWebhook(directory.path);
  await using server = await startApiServer({
    authorizationMode: ['RBAC', 'Webhook'],
    authorizationWebhookConfigFile: webhook.file,
  });
  webhook.answer = 'silence';
  const token = 'bobtoken';
  const requests = [
    { headers: {}, question: '"list"' },
    { headers: { 'Impersonate-User': 'carol' }, question: '"impersonate"' },
  ];
  for (const { headers, question } of requests) {
    const isAsked = () => webhook.asked.some(spec => JSON.stringify(spec).includes(question));
    // Where the machine is slow the time of a request may be over before the webhook is asked.
    for (let timeoutMs = 100; !isAsked(); timeoutMs *= 2)
      assert.equal(await requestCode(server, `${secrets}?timeout=${timeoutMs}ms`, { token, headers }), 504);
  }
});

/** A webhook that takes only clients with a certificate, and the client configuration file for it. */
async function startWebhook(directory: string) {
  const pki = await createPki(directory, { clients: [{ name: 'gateway', commonName: 'gateway' }] });
  const serverTls = await loadTls(pki.serverDirectory);
  const clientTls = await loadTls(pki.clientDirectory('gateway'));
  const state = {
    answer: { allowed: false } as object | 'none' | 'silence',
    asked: [] as unknown[],
    file: join(directory, 'webhook.yaml'),
  };
  const options = { ...serverTls, ca: clientTls.ca, requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, async (request, response) => {
    const parts: Buffer[] = await request.toArray();
    const { apiVersion, kind, spec } = JSON.parse(Buffer.concat(parts).toString());
    state.asked.push(spec);
    if (state.answer === 'silence') return;
    if (state.answer === 'none') response.writeHead(403).end();
    else response.end(JSON.stringify({ apiVersion, kind, status: state.answer }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = findPort(server);
  const configuration = {
    servers: [`https://127.0.0.1:${port}/authorize`],
    certificateAuthority: serverTls.ca,
    clientCertificate: clientTls.cert,
    clientKey: clientTls.key,
  };
  await writeClientConfiguration(state.file, configuration, { cluster: 'webhook', user: 'gateway' });
  return Object.assign(state, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  });
}
