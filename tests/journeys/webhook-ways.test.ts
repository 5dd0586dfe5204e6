import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createPki } from '@binnacle/tls';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { startWebhookJourney, type WebhookJourney } from './webhook-journey.ts';
import type { WebhookServer } from './webhook-server.ts';

let files: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let journey: WebhookJourney;

const behaviours = { '/allow': () => ({ allowed: true }) };

before(async () => {
  files = await createTemporaryDirectory();
  journey = await startWebhookJourney(behaviours, {
    serverNames: ['hook.test-1.svc'],
    prepare: async hooks => ({ admissionControlConfigFile: await writeConfiguration(hooks) }),
  });
});
after(async () => {
  await journey[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
});

/** An admission configuration whose mutating webhooks have credentials inline, and validating ones in a file. */
async function writeConfiguration(hooks: WebhookServer): Promise<string> {
  const { port } = new URL(hooks.url);
  const pki = await createPki(join(files.path, 'pki'), { clients: [{ name: 'c', commonName: 'binnacle' }] });
  const base64 = async (file: string) =>
    (await readFile(join(pki.clientDirectory('c'), file))).toString('base64');
  const users = [
    { name: `127.0.0.1:${port}`, user: { token: 'secret' } },
    { name: `*.test-1.svc:${port}`, user: { username: 'u', password: 'w' } },
    {
      name: '*',
      user: {
        'client-certificate-data': await base64('tls.crt'),
        'client-key-data': await base64('tls.key'),
      },
    },
  ];
  const write = async (name: string, document: object) => {
    await writeFile(join(files.path, name), JSON.stringify(document));
    return join(files.path, name);
  };
  await write('users.conf', { apiVersion: 'v1', kind: 'Config', users });
  const configuration = {
    apiVersion: 'apiserver.config.cluster.io/v1',
    kind: 'WebhookAdmissionConfiguration',
    kubeConfigFile: 'users.conf',
  };
  await write('validating.conf', configuration);
  return write('admission.conf', {
    apiVersion: 'apiserver.config.cluster.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [
      { name: 'MutatingAdmissionWebhook', configuration },
      { name: 'ValidatingAdmissionWebhook', path: 'validating.conf' },
    ],
  });
}

const labelled = (label: string): JsonObject => ({
  body: { metadata: { generateName: 'x-', labels: { case: label } } },
});

test('a webhook is called with the credentials for its host', async () => {
  const { server, webhook, hooks } = journey;
  const namespace = await server.namespace();
  assert.equal(namespace, '/api/v1/namespaces/test-1');
  const { port } = new URL(hooks.url);
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await server.expect(201, 'POST', `${namespace}/services`, { body: { metadata: { name: 'hook' }, spec } });
  const { caBundle } = hooks;
  const service = { namespace: 'test-1', name: 'hook', path: '/allow', port: Number(port) };
  for (const kind of ['mutating', 'validating'] as const) {
    await using _ = await journey.configure(
      kind,
      webhook('/allow', 'by-url'),
      webhook('/allow', 'by-service', { name: 'b.example.com', clientConfig: { service, caBundle } }),
      webhook('/allow', 'by-name', {
        name: 'c.example.com',
        clientConfig: { url: `https://localhost:${port}/allow`, caBundle },
      }),
    );
    for (const label of ['by-url', 'by-service', 'by-name'])
      await server.expect(201, 'POST', `${namespace}/configmaps`, labelled(label));
    assert.deepEqual(
      hooks.calls.map(({ authorization, caller }) => [authorization, caller]),
      [
        ['Bearer secret', ''],
        [`Basic ${Buffer.from('u:w').toString('base64')}`, ''],
        ['', 'binnacle'],
      ],
    );
  }
});

test('a service without an address for the port is not found', async () => {
  const { server, webhook } = journey;
  const namespace = await server.namespace();
  const [inNamespace] = namespace.split('/').slice(-1);
  const spec = { clusterIP: 'None', ports: [{ port: 443 }] };
  await server.expect(201, 'POST', `${namespace}/services`, {
    body: { metadata: { name: 'headless' }, spec },
  });
  const service = { namespace: inNamespace ?? '', name: 'headless' };
  await using _ = await journey.configure(
    'validating',
    webhook('', 'headless', { clientConfig: { service } }),
  );
  const status = await server.expect(500, 'POST', `${namespace}/configmaps`, labelled('headless'));
  assert.match(String(status['message']), /service "headless" not found/);
});

test('calls to services can be switched off, with a message', async () => {
  await using other = await startWebhookJourney(behaviours, { serviceResolver: 'none' });
  const { server, webhook } = other;
  const namespace = await server.namespace();
  const service = { namespace: 'test-1', name: 'hook' };
  await using _ = await other.configure(
    'validating',
    webhook('', 'unresolved', { clientConfig: { service } }),
  );
  const status = await server.expect(500, 'POST', `${namespace}/configmaps`, labelled('unresolved'));
  assert.match(String(status['message']), /calls no services/);
});
