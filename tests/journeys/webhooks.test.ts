import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings, startAdminServer } from './admin-server.ts';
import { textsAt } from './setup/json-parts.ts';
import { startWebhooks, type WebhookServer } from './webhook-server.ts';

let server: AdminServer;
let hooks: WebhookServer;

before(async () => {
  hooks = await startWebhooks({
    '/allow': () => ({ allowed: true }),
    '/deny': () => ({ allowed: false, status: { message: 'no way', reason: 'Because', code: 418 } }),
    '/deny-plainly': () => ({ allowed: false }),
    '/deny-in-detail': () => ({
      allowed: false,
      status: {
        message: 'no',
        reason: 'Invalid',
        code: 422,
        details: { causes: [{ reason: 'x', field: 'y' }] },
      },
    }),
    '/deny-with-success': () => ({ allowed: false, status: { code: 200 } }),
    '/warn-and-deny': () => ({ allowed: false, warnings: ['beware'], status: { code: 418 } }),
    '/warn': () => ({ allowed: true, warnings: ['first', 'second'] }),
    '/broken': () => response => response.writeHead(500).end('boom'),
    '/nonsense': () => response => response.end('nonsense'),
    '/other-uid': () => ({ uid: 'another', allowed: true }),
    '/silent': () => () => {},
  });
  server = await startAdminServer();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
});

const configurations = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
const mergePatch = 'application/merge-patch+json';
const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
let configured = 0;

/** One webhook for objects with a label of its own, so that webhooks of other tests do not meet them. */
function webhookFor(path: string, label: string, more: JsonObject = {}): JsonObject {
  return {
    name: 'a.example.com',
    clientConfig: { url: hooks.url + path, caBundle: hooks.caBundle },
    rules: [rule],
    objectSelector: { matchLabels: { case: label } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 2,
    ...more,
  };
}

/** Configures webhooks and waits until they are in effect; gives what ends them. */
async function configure(webhooks: JsonObject[]): Promise<AsyncDisposable> {
  configured++;
  const name = `test-${configured}`;
  // The last webhook of the configuration denies a probe; until it does, the configuration is on its way.
  const probe = webhookFor('/deny', `probe-${configured}`, { name: 'probe.example.com' });
  await server.expect(201, 'POST', configurations, {
    body: { metadata: { name }, webhooks: [...webhooks, probe] },
  });
  const body = { metadata: { name: 'probe', labels: { case: `probe-${configured}` } } };
  const probePath = '/api/v1/namespaces/default/configmaps?dryRun=All';
  for (let i = 0; (await server.send('POST', probePath, { body })).code !== 418; i++) {
    assert.ok(i < 600, 'the configuration does not take effect');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return {
    async [Symbol.asyncDispose]() {
      await server.expect(200, 'DELETE', `${configurations}/${name}`);
    },
  };
}

const labelled = (label: string, name = 'x', data: JsonObject = {}): JsonObject => ({
  metadata: { name, labels: { case: label } },
  data,
});
const callsTo = (path: string) => hooks.calls.filter(call => call.path.startsWith(`${path}?`));

test('a webhook is called with the details of each write', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await configure([webhookFor('/allow', 'seen')]);
  hooks.calls.length = 0;
  await server.expect(201, 'POST', maps, { body: labelled('seen', 'x', { z: '0' }) });
  await server.expect(200, 'PUT', `${maps}/x`, { body: labelled('seen', 'x', { a: '1' }) });
  await server.expect(200, 'PATCH', `${maps}/x`, { body: { data: { b: '2' } }, contentType: mergePatch });
  await server.expect(201, 'POST', `${maps}?dryRun=All`, { body: labelled('seen', 'dry', { z: '0' }) });
  await server.expect(200, 'DELETE', `${maps}/x`);
  const calls = callsTo('/allow');
  assert.deepEqual(
    calls.map(({ request }) => [
      request['operation'],
      at(request, 'object', 'data') ?? null,
      at(request, 'oldObject', 'data') ?? null,
      request['dryRun'],
      at(request, 'options', 'kind'),
    ]),
    [
      ['CREATE', { z: '0' }, null, false, 'CreateOptions'],
      ['UPDATE', { a: '1' }, { z: '0' }, false, 'UpdateOptions'],
      ['UPDATE', { a: '1', b: '2' }, { a: '1' }, false, 'UpdateOptions'],
      ['CREATE', { z: '0' }, null, true, 'CreateOptions'],
      ['DELETE', null, { a: '1', b: '2' }, false, 'DeleteOptions'],
    ],
  );
  const [first] = calls;
  assert.ok(first);
  assert.deepEqual(
    [first.path, first.review['kind'], first.review['apiVersion']],
    ['/allow?timeout=2s', 'AdmissionReview', 'admission.cluster.io/v1'],
  );
  const { kind, resource, requestKind, requestResource, name, userInfo, object, oldObject } = first.request;
  assert.deepEqual([kind, requestKind], Array(2).fill({ group: '', version: 'v1', kind: 'ConfigMap' }));
  assert.deepEqual(
    [resource, requestResource],
    Array(2).fill({ group: '', version: 'v1', resource: 'configmaps' }),
  );
  assert.deepEqual(
    [name, oldObject, at(object, 'kind'), at(userInfo, 'username')],
    ['x', null, 'ConfigMap', 'admin'],
  );
  assert.ok(textsAt(userInfo, 'groups').includes('system:masters'));
  assert.equal(new Set(calls.map(({ request }) => request['uid'])).size, calls.length);
});

const denials: readonly [string, number, JsonValue, string][] = [
  ['/deny', 418, ['Because'], 'admission webhook "a.example.com" denied the request: no way'],
  ['/deny-plainly', 400, [''], 'admission webhook "a.example.com" denied the request without explanation'],
  ['/deny-in-detail', 422, ['Invalid', 'x y'], 'admission webhook "a.example.com" denied the request: no'],
  [
    '/deny-with-success',
    400,
    [''],
    'admission webhook "a.example.com" denied the request without explanation',
  ],
];

test('a denial refuses the write with the message of the webhook', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  for (const [path, code, expected, message] of denials) {
    await using _ = await configure([webhookFor(path, 'denied')]);
    const status = await server.expect(code, 'POST', maps, { body: labelled('denied') });
    assert.deepEqual([findings(status), status['message']], [expected, message]);
    await server.expect(404, 'GET', `${maps}/x`);
  }
});

const failures: readonly [string, JsonObject, RegExp][] = [
  ['/broken', {}, /status 500/],
  ['/nonsense', {}, /not JSON/],
  ['/other-uid', {}, /response\.uid/],
  ['/silent', { timeoutSeconds: 1 }, /deadline exceeded/],
  ['/allow', { clientConfig: { url: 'https://127.0.0.1:1/' } }, /ECONNREFUSED/],
  [
    '/allow',
    { clientConfig: { service: { namespace: 'default', name: 'nosuch' } } },
    /service "nosuch" not found/,
  ],
];

test('the failure policy decides when a webhook fails', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  for (const [path, more, reason] of failures) {
    const webhooks = (['Fail', 'Ignore'] as const).map(failurePolicy =>
      webhookFor(path, failurePolicy, {
        ...more,
        failurePolicy,
        name: `${failurePolicy.toLowerCase()}.example.com`,
      }),
    );
    await using _ = await configure(webhooks);
    const status = await server.expect(500, 'POST', maps, { body: labelled('Fail') });
    assert.equal(status['reason'], 'InternalError');
    assert.match(String(status['message']), /failed calling webhook "fail\.example\.com"/);
    assert.match(String(status['message']), reason);
    await server.expect(201, 'POST', maps, { body: labelled('Ignore') });
    await server.expect(200, 'DELETE', `${maps}/x`);
  }
});

test('a certificate of an unknown authority counts as a failure', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await configure([
    webhookFor('/allow', 'untrusted', { clientConfig: { url: `${hooks.url}/allow` } }),
  ]);
  const status = await server.expect(500, 'POST', maps, { body: labelled('untrusted') });
  assert.match(String(status['message']), /certificate of the webhook is not trusted/);
});

test('warnings of webhooks are sent to the client', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await configure([webhookFor('/warn', 'warned')]);
  const { code, warnings } = await server.send('POST', maps, { body: labelled('warned') });
  assert.deepEqual([code, warnings], [201, ['first', 'second']]);
  await using __ = await configure([webhookFor('/warn-and-deny', 'refused')]);
  const refused = await server.send('POST', maps, { body: labelled('refused', 'y') });
  assert.deepEqual([refused.code, refused.warnings], [418, ['beware']]);
});

test('a webhook is called only for requests that its rules and selectors match', async () => {
  const namespace = await server.namespace();
  const name = namespace.slice(namespace.lastIndexOf('/') + 1);
  const here = { matchLabels: { 'cluster.io/metadata.name': name } };
  const elsewhere = { matchLabels: { 'cluster.io/metadata.name': 'elsewhere' } };
  await using _ = await configure([
    webhookFor('/deny', 'elsewhere', { namespaceSelector: elsewhere, name: 'b.example.com' }),
    webhookFor('/deny', 'here', { namespaceSelector: here, name: 'c.example.com' }),
    webhookFor('/deny', 'create', { rules: [{ ...rule, operations: ['CREATE'] }], name: 'd.example.com' }),
    webhookFor('/deny', 'cluster', { rules: [{ ...rule, scope: 'Cluster' }], name: 'e.example.com' }),
    webhookFor('/deny', 'status', {
      rules: [{ ...rule, resources: ['namespaces/status'] }],
      name: 'f.example.com',
    }),
  ]);
  const maps = `${namespace}/configmaps`;
  await server.expect(201, 'POST', maps, { body: labelled('elsewhere', 'a') });
  await server.expect(418, 'POST', maps, { body: labelled('here', 'b') });
  await server.expect(201, 'POST', maps, { body: labelled('cluster', 'c') });
  await server.expect(418, 'POST', maps, { body: labelled('create', 'd') });
  await server.expect(201, 'POST', maps, { body: { metadata: { name: 'd' } } });
  await server.expect(200, 'PUT', `${maps}/d`, { body: labelled('create', 'd') });
  const label = { body: { metadata: { labels: { case: 'status' } } }, contentType: mergePatch };
  await server.expect(200, 'PATCH', namespace, label);
  await server.expect(418, 'PATCH', `${namespace}/status`, { body: {}, contentType: mergePatch });
});

test('the deletion of a collection is reviewed for each object', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: labelled('kept', 'a') });
  await server.expect(201, 'POST', maps, { body: labelled('free', 'b') });
  await using _ = await configure([webhookFor('/deny', 'kept')]);
  await server.expect(418, 'DELETE', `${maps}?labelSelector=case%3Dkept`);
  await server.expect(200, 'DELETE', `${maps}?labelSelector=case%3Dfree`);
  await server.expect(200, 'GET', `${maps}/a`);
  await server.expect(404, 'GET', `${maps}/b`);
});

test('no webhook can prevent changes of webhook configurations', async () => {
  const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
  const configuration = await configure([
    webhookFor('/deny', 'any', { rules: [everything], objectSelector: { matchLabels: { any: 'thing' } } }),
  ]);
  const labels = { any: 'thing' };
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(418, 'POST', maps, { body: { metadata: { name: 'x', labels } } });
  await server.expect(201, 'POST', configurations, {
    body: { metadata: { name: 'free', labels }, webhooks: [] },
  });
  await server.expect(200, 'DELETE', `${configurations}/free`);
  await configuration[Symbol.asyncDispose]();
});

test('of several denials the first in order of configurations is returned', async () => {
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await configure([
    webhookFor('/allow', 'several', { name: 'a.example.com' }),
    webhookFor('/deny', 'several', { name: 'b.example.com' }),
    webhookFor('/deny-plainly', 'several', { name: 'c.example.com' }),
  ]);
  const status = await server.expect(418, 'POST', maps, { body: labelled('several') });
  assert.match(String(status['message']), /"b\.example\.com" denied/);
});
