import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { type ApiServer, until } from './api-server.ts';
import type { HostConverter } from './conversion-hosts.ts';
import { type ConversionSetup, parseSpec, startConversions } from './conversion-setup.ts';
import { startWebhooks, type WebhookServer } from './webhook-server.ts';

let setup: ConversionSetup;
let server: ApiServer;
let converter: HostConverter;
let admission: WebhookServer;

const patch = [{ op: 'add', path: '/spec/zone', value: 'patched' }];
const behaviours = {
  '/see': () => ({ allowed: true }),
  '/patch': () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  }),
};

before(async () => {
  [setup, admission] = await Promise.all([startConversions(), startWebhooks(behaviours)]);
  ({ server, converter } = setup);
});

after(async () => {
  await setup[Symbol.asyncDispose]();
  await admission[Symbol.asyncDispose]();
});

/** Has webhooks of both kinds see hosts of a group in version v1, whatever version requests are in. */
async function register(group: string): Promise<void> {
  const registered = { mutating: '/patch', validating: '/see' };
  for (const [kind, path] of Object.entries(registered)) {
    const where = `/apis/admissionregistration.cluster.io/v1/${kind}webhookconfigurations`;
    const webhook = {
      name: `${kind}.${group}`,
      clientConfig: { url: admission.url + path, caBundle: admission.caBundle },
      rules: [
        { operations: ['CREATE', 'UPDATE'], apiGroups: [group], apiVersions: ['v1'], resources: ['hosts'] },
      ],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    };
    const body = { metadata: { name: `${kind}.${group}` }, webhooks: [webhook] };
    assert.equal((await server.call('POST', where, { body })).code, 201);
  }
}

test('admission webhooks see objects in their version, and their changes are converted back', async () => {
  const { group, path, host, create } = await setup.hosts('equivalent');
  await create('v2', 'a', { host: 'a.com', port: '1' });
  await register(group);
  await until('the webhooks are known', async () => {
    const body = host('v2', 'probe', { host: 'p.com', port: '1' });
    const { text } = await server.call('POST', `${path('v2')}?dryRun=All`, { body });
    return text.includes('patched') && admission.calls.some(call => call.path.startsWith('/see'));
  });
  admission.calls.length = 0;
  const updated = await server.call('PATCH', path('v2', 'a'), {
    body: { spec: { host: 'b.com' } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.equal(updated.code, 200, updated.text);
  assert.deepEqual(parseSpec(updated), { host: 'b.com', port: '1', zone: 'patched' });
  assert.deepEqual(
    admission.calls.map(call => call.path.split('?', 1)[0]),
    ['/patch', '/see'],
  );
  const seen = admission.calls.map(({ request }) => {
    const { kind, requestKind, object, oldObject } = request as Record<string, JsonObject>;
    const spec = (one: JsonObject | undefined) => (one?.['spec'] as JsonObject)['hostPort'];
    return [
      kind?.['version'],
      requestKind?.['version'],
      object?.['apiVersion'],
      spec(object),
      spec(oldObject),
    ];
  });
  const expected = ['v1', 'v2', `${group}/v1`, 'b.com:1', 'a.com:1'];
  assert.deepEqual(seen, [expected, expected]);
});

test('a failed conversion for an admission webhook refuses the write', async () => {
  const { path, host } = {
    path: (version: string) => `/apis/equivalent.conv.example.com/${version}/namespaces/default/hosts`,
    host: (name: string) => ({
      apiVersion: 'equivalent.conv.example.com/v2',
      kind: 'Host',
      metadata: { name },
      spec: { host: 'c.com', port: '1' },
    }),
  };
  converter.answering = () => ({ result: { status: 'Failure', message: 'out of order' } });
  const refused = await server.call('POST', path('v2'), { body: host('c') });
  converter.answering = 'well';
  assert.equal(refused.code, 500);
  assert.equal(refused.json.reason, 'InternalError');
  assert.match(refused.json.message, /out of order/);
  assert.equal((await server.call('GET', `${path('v1')}/c`)).code, 404);
});
