import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '@binnacle/api-objects';
import { until } from '../../journeys/api-server.ts';
import { at, type ConformanceServer, type ConformanceTests } from '../drivers/conformance-server.ts';
import { type EveryMethod, hookNamespace, withEveryMethod } from './with-every-method.ts';

const registrations = '/apis/admissionregistration.cluster.io/v1/mutatingwebhookconfigurations';

/** How a webhook is reached. */
type Way = 'by-address' | 'by-service' | 'by-name';

/** Creates a ConfigMap that a webhook sees, which is reached in that way; gives what the webhook was told. */
async function provokeCall({ server, remote, remoteAuthority }: EveryMethod, way: Way, label: string) {
  const { port } = new URL(remote.url);
  const body = { metadata: { name: hookNamespace } };
  const namespaces = await server.request('POST', '/api/v1/namespaces', { body });
  assert.ok([201, 409].includes(namespaces.code), namespaces.text);
  const services = `/api/v1/namespaces/${hookNamespace}/services`;
  const service = await server.request('POST', services, {
    body: { metadata: { name: 'hook' }, spec: { type: 'ExternalName', externalName: 'localhost' } },
  });
  assert.ok([201, 409].includes(service.code), service.text);
  const ways: Readonly<Record<Way, JsonObject>> = {
    'by-address': { url: `${remote.url}/hook` },
    'by-service': {
      service: { namespace: hookNamespace, name: 'hook', path: '/hook', port: Number(port) },
    },
    'by-name': { url: `https://localhost:${port}/hook` },
  };
  await register(server, label, {
    ...ways[way],
    caBundle: Buffer.from(remoteAuthority).toString('base64'),
  });
  const namespace = await server.namespace();
  let attempt = 0;
  await until('the webhook is called', async () => {
    await server.expect(201, 'POST', `/api/v1/namespaces/${namespace}/configmaps`, {
      body: { metadata: { name: `c-${attempt++}`, labels: { case: label } } },
    });
    return remote.calls.some(call => call.label === label);
  });
  await server.expect(200, 'DELETE', `${registrations}/${label}.example.com`);
  return remote.calls.find(call => call.label === label);
}

async function register(server: ConformanceServer, label: string, clientConfig: JsonObject): Promise<void> {
  const name = `${label}.example.com`;
  await server.expect(201, 'POST', registrations, {
    body: {
      metadata: { name },
      webhooks: [
        {
          name,
          clientConfig,
          rules: [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
          ],
          objectSelector: { matchLabels: { case: label } },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    },
  });
}

const basic = `Basic ${Buffer.from('hook-user:hook-password').toString('base64')}`;

/** 2, "Webhook server authentication by the API server", and "Events". */
export const webhookCallTests: ConformanceTests = {
  async '2/Webhook server authentication/a the user of the host of the webhook'(under) {
    const call = await provokeCall(await withEveryMethod(under), 'by-address', 'host');
    assert.equal(call?.authorization, 'Bearer hook-token');
  },

  async '2/Webhook server authentication/b a wildcard with its port, and the default'(under) {
    const methods = await withEveryMethod(under);
    const service = await provokeCall(methods, 'by-service', 'wildcard');
    assert.deepEqual([service?.authorization, service?.client], [basic, '']);
    const other = await provokeCall(methods, 'by-name', 'default');
    assert.deepEqual([other?.authorization, other?.client], ['', 'api-server']);
  },

  async '2/Webhook server authentication/c token, name with password, certificate'(under) {
    const methods = await withEveryMethod(under);
    const told = [
      await provokeCall(methods, 'by-address', 'token'),
      await provokeCall(methods, 'by-service', 'password'),
      await provokeCall(methods, 'by-name', 'certificate'),
    ].map(call => [call?.authorization, call?.client]);
    assert.deepEqual(told, [
      ['Bearer hook-token', ''],
      [basic, ''],
      ['', 'api-server'],
    ]);
  },

  async '2/Events/1 what a webhook did, and its patch at a higher level'(under) {
    const methods = await withEveryMethod(under);
    await provokeCall(methods, 'by-address', 'annotated');
    const group = 'webhook.admission.cluster.io/round_0_index_0';
    const annotations = await awaitAnnotations(methods, `mutation.${group}`, 'annotated');
    assert.deepEqual(JSON.parse(String(annotations[`mutation.${group}`])), {
      configuration: 'annotated.example.com',
      webhook: 'annotated.example.com',
      mutated: true,
    });
    const patch = JSON.parse(String(annotations[`patch.${group}`]));
    assert.deepEqual(patch, {
      configuration: 'annotated.example.com',
      webhook: 'annotated.example.com',
      patch: [{ op: 'add', path: '/metadata/labels/hooked', value: 'yes' }],
      patchType: 'JSONPatch',
    });
  },
};

/** The annotations of the audit event that has this one, with this text in its value. */
async function awaitAnnotations({ auditLog }: EveryMethod, key: string, text: string): Promise<JsonObject> {
  let found: JsonObject | undefined;
  await until('the event is in the audit log', async () => {
    const lines = (await readFile(auditLog, 'utf8')).split('\n').filter(line => line.includes(text));
    found = lines
      .map((line): JsonObject => JSON.parse(line))
      .find(event => String(at(event, 'annotations', key)).includes(text));
    return found !== undefined;
  });
  return found?.['annotations'] as JsonObject; // An event that has one of them.
}
