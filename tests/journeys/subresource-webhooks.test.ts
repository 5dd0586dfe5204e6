import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, startAdminServer } from './admin-server.ts';
import { startWebhooks, type WebhookServer } from './webhook-server.ts';

let server: AdminServer;
let hooks: WebhookServer;
let namespace: string;

before(async () => {
  hooks = await startWebhooks({
    '/review': request =>
      at(request, 'name') === 'denied' ? { allowed: false, status: { code: 418 } } : { allowed: true },
  });
  server = await startAdminServer();
  namespace = await server.namespace();
  const rule = (apiGroups: string[], apiVersions: string[], resources: string[]): JsonObject => ({
    operations: ['*'],
    apiGroups,
    apiVersions,
    resources,
  });
  const webhook = {
    name: 'a.example.com',
    clientConfig: { url: `${hooks.url}/review`, caBundle: hooks.caBundle },
    rules: [
      rule(
        [''],
        ['v1'],
        ['pods/eviction', 'pods/binding', 'nodes/proxy', 'configmaps', 'replicationcontrollers/scale'],
      ),
      rule(['autoscaling'], ['v1'], ['horizontalpodautoscalers']),
    ],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 5,
  };
  await server.expect(
    201,
    'POST',
    '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations',
    {
      body: { metadata: { name: 'subresources' }, webhooks: [webhook] },
    },
  );
  const probe = { body: { metadata: { name: 'denied' } } };
  for (
    let i = 0;
    (await server.send('POST', `${namespace}/configmaps?dryRun=All`, probe)).code !== 418;
    i++
  ) {
    assert.ok(i < 600, 'the configuration does not take effect');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
});

const podSpec = { containers: [{ name: 'c', image: 'i' }] };

/** The one review that something gave rise to, as `operation resource/subresource kind`. */
async function awaitReview(work: () => Promise<unknown>): Promise<{ what: string; request: JsonValue }> {
  const before = hooks.calls.length;
  await work();
  const calls = hooks.calls.slice(before);
  assert.equal(calls.length, 1);
  const request = calls[0]?.request ?? {};
  const resource = `${at(request, 'resource', 'resource')}/${at(request, 'subResource') ?? ''}`;
  const kind = ['group', 'version', 'kind'].map(key => at(request, 'kind', key)).join('/');
  return { what: `${at(request, 'operation')} ${resource} ${kind}`, request };
}

test('an eviction is reviewed as an Eviction, and a denial keeps the pod', async () => {
  for (const name of ['denied', 'evicted'])
    await server.expect(201, 'POST', `${namespace}/pods`, { body: { metadata: { name }, spec: podSpec } });
  const evict = (code: number, name: string) =>
    server.expect(code, 'POST', `${namespace}/pods/${name}/eviction`, {
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } },
    });
  const { what, request } = await awaitReview(() => evict(418, 'denied'));
  assert.equal(what, 'CREATE pods/eviction policy/v1/Eviction');
  assert.equal(at(request, 'object', 'kind'), 'Eviction');
  await server.expect(200, 'GET', `${namespace}/pods/denied`);
  await awaitReview(() => evict(201, 'evicted'));
  await server.expect(404, 'GET', `${namespace}/pods/evicted`);
});

test('a binding is reviewed as a Binding', async () => {
  const metadata = { name: 'bound' };
  await server.expect(201, 'POST', `${namespace}/pods`, { body: { metadata, spec: podSpec } });
  const { what, request } = await awaitReview(() =>
    server.expect(201, 'POST', `${namespace}/pods/bound/binding`, {
      body: { metadata, target: { name: 'n' } },
    }),
  );
  assert.equal(what, 'CREATE pods/binding /v1/Binding');
  assert.equal(at(request, 'object', 'target', 'name'), 'n');
});

test('a Scale is reviewed with the previous one', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: podSpec };
  const spec = { replicas: 1, selector: { a: 'b' }, template };
  const path = `${namespace}/replicationcontrollers`;
  await server.expect(201, 'POST', path, { body: { metadata: { name: 'rc' }, spec } });
  const { what, request } = await awaitReview(() =>
    server.expect(200, 'PATCH', `${path}/rc/scale`, {
      body: { spec: { replicas: 4 } },
      contentType: 'application/merge-patch+json',
    }),
  );
  assert.equal(what, 'UPDATE replicationcontrollers/scale autoscaling/v1/Scale');
  const replicas = ['object', 'oldObject'].map(key => at(request, key, 'spec', 'replicas'));
  assert.deepEqual(replicas, [4, 1]);
});

test('a proxied request is reviewed before it is sent', async () => {
  await server.expect(201, 'POST', '/api/v1/nodes', { body: { metadata: { name: 'denied' } } });
  const { what, request } = await awaitReview(() =>
    server.expect(418, 'GET', '/api/v1/nodes/denied/proxy/metrics'),
  );
  assert.equal(what, 'CONNECT nodes/proxy /v1/NodeProxyOptions');
  assert.equal(at(request, 'object', 'path'), '/metrics');
});

test('an object is reviewed in the version of the request', async () => {
  const path = namespace.replace('/api/v1', '/apis/autoscaling/v1').concat('/horizontalpodautoscalers');
  const spec = {
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
    scaleTargetRef: { kind: 'ReplicationController', apiVersion: 'v1', name: 'rc' },
  };
  await awaitReview(() => server.expect(201, 'POST', path, { body: { metadata: { name: 'a' }, spec } }));
  const { what, request } = await awaitReview(() =>
    server.expect(200, 'PATCH', `${path}/a`, {
      body: { spec: { maxReplicas: 5 } },
      contentType: 'application/merge-patch+json',
    }),
  );
  assert.equal(what, 'UPDATE horizontalpodautoscalers/ autoscaling/v1/HorizontalPodAutoscaler');
  for (const key of ['object', 'oldObject']) {
    assert.equal(at(request, key, 'apiVersion'), 'autoscaling/v1');
    assert.equal(at(request, key, 'spec', 'targetCPUUtilizationPercentage'), 50);
  }
  const deleted = await awaitReview(() => server.expect(200, 'DELETE', `${path}/a`));
  assert.equal(at(deleted.request, 'oldObject', 'apiVersion'), 'autoscaling/v1');
});
