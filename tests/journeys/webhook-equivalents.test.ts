import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { configMapRule, patched, startWebhookJourney, type WebhookJourney } from './webhook-journey.ts';

const behaviours = {
  '/allow': () => ({ allowed: true }),
  '/cpu': () => patched({ op: 'add', path: '/spec/targetCPUUtilizationPercentage', value: 70 }),
  '/size': () => patched({ op: 'add', path: '/spec/size', value: 5 }),
};

let journey: WebhookJourney;
let namespace: string;

before(async () => {
  journey = await startWebhookJourney(behaviours);
  namespace = await journey.server.namespace();
});
after(() => journey[Symbol.asyncDispose]());

const createRule = (group: string, version: string, resource: string): JsonObject => ({
  ...configMapRule,
  apiGroups: [group],
  apiVersions: [version],
  resources: [resource],
});
const inV1 = { rules: [createRule('autoscaling', 'v1', 'horizontalpodautoscalers')] };
const mergePatch = 'application/merge-patch+json';

function scalersIn(inNamespace: string, version: string): string {
  return `${inNamespace.replace('/api/v1', `/apis/autoscaling/${version}`)}/horizontalpodautoscalers`;
}

function scaler(label: string): JsonObject {
  const scaleTargetRef = { kind: 'ReplicationController', apiVersion: 'v1', name: 'rc' };
  return { metadata: { name: label, labels: { case: label } }, spec: { maxReplicas: 3, scaleTargetRef } };
}

function target(object: JsonValue): JsonValue | undefined {
  return at(object, 'spec', 'metrics', 0, 'resource', 'target', 'averageUtilization');
}

test('a webhook for one version sees requests for another one in its own version', async () => {
  const { server, webhook } = journey;
  await using _ = await journey.configure('validating', webhook('/allow', 'seen', inV1));
  const path = scalersIn(namespace, 'v2');
  await server.expect(201, 'POST', path, { body: scaler('seen') });
  const change = { body: { spec: { maxReplicas: 5 } }, contentType: mergePatch };
  await server.expect(200, 'PATCH', `${path}/seen`, change);
  const [created, updated] = journey.callsTo('/allow').map(({ request }) => request);
  assert.ok(created && updated);
  const kind = 'HorizontalPodAutoscaler';
  const resource = 'horizontalpodautoscalers';
  assert.deepEqual(
    [created['kind'], created['requestKind']],
    [
      { group: 'autoscaling', version: 'v1', kind },
      { group: 'autoscaling', version: 'v2', kind },
    ],
  );
  assert.deepEqual(
    [created['resource'], created['requestResource']],
    [
      { group: 'autoscaling', version: 'v1', resource },
      { group: 'autoscaling', version: 'v2', resource },
    ],
  );
  for (const key of ['object', 'oldObject']) {
    assert.equal(at(updated, key, 'apiVersion'), 'autoscaling/v1');
    assert.equal(at(updated, key, 'spec', 'targetCPUUtilizationPercentage'), 80);
  }
  assert.deepEqual(
    ['object', 'oldObject'].map(key => at(updated, key, 'spec', 'maxReplicas')),
    [5, 3],
  );
});

test('a change in another version is converted to the version of the request', async () => {
  const { server, webhook } = journey;
  await using _ = await journey.configure('mutating', webhook('/cpu', 'changed', inV1));
  const created = await server.expect(201, 'POST', scalersIn(namespace, 'v2'), { body: scaler('changed') });
  assert.deepEqual([created['apiVersion'], target(created)], ['autoscaling/v2', 70]);
  const stored = await server.expect(200, 'GET', `${scalersIn(namespace, 'v1')}/changed`);
  assert.equal(at(stored, 'spec', 'targetCPUUtilizationPercentage'), 70);
});

test('a webhook with matchPolicy Exact is not called for other versions and groups', async () => {
  const { server, webhook } = journey;
  const events = { rules: [createRule('events.cluster.io', 'v1', 'events')] };
  await using _ = await journey.configure(
    'validating',
    webhook('/allow', 'exact', { ...inV1, matchPolicy: 'Exact' }),
    webhook('/allow', 'event-exact', { ...events, matchPolicy: 'Exact', name: 'b.example.com' }),
    webhook('/allow', 'event', { ...events, name: 'c.example.com' }),
  );
  await server.expect(201, 'POST', scalersIn(namespace, 'v2'), { body: scaler('exact') });
  const involvedObject = { namespace: namespace.slice(namespace.lastIndexOf('/') + 1) };
  for (const name of ['event-exact', 'event']) {
    const body = { metadata: { name, labels: { case: name } }, involvedObject, reason: 'r' };
    await server.expect(201, 'POST', `${namespace}/events`, { body });
  }
  assert.deepEqual(
    journey.hooks.calls.map(({ request }) => [
      at(request, 'object', 'apiVersion'),
      at(request, 'object', 'metadata', 'name'),
      at(request, 'requestKind', 'group'),
    ]),
    [['events.cluster.io/v1', 'event', '']],
  );
});

test('a version that is not served is not equivalent', async () => {
  await using other = await startWebhookJourney(behaviours, { runtimeConfig: 'autoscaling/v1=false' });
  const inNamespace = await other.server.namespace();
  await using _ = await other.configure('mutating', other.webhook('/cpu', 'unserved', inV1));
  const path = scalersIn(inNamespace, 'v2');
  assert.equal(target(await other.server.expect(201, 'POST', path, { body: scaler('unserved') })), 80);
  assert.equal(other.callsTo('/cpu').length, 0);
});

test('versions of custom types are equivalent while they are served', async () => {
  const { server, webhook } = journey;
  const definition = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
  await server.expect(201, 'POST', definition, { body: boats(true) });
  await established(server, `${definition}/boats.sea.example.com`);
  const path = (version: string) =>
    `${namespace.replace('/api/v1', `/apis/sea.example.com/${version}`)}/boats`;
  const rules = [createRule('sea.example.com', 'v1', 'boats')];
  await using _ = await journey.configure('mutating', webhook('/size', 'boat', { rules }));
  const boat = (name: string) => ({
    apiVersion: 'sea.example.com/v2',
    kind: 'Boat',
    metadata: { name, labels: { case: 'boat' } },
    spec: {},
  });
  const created = await server.expect(201, 'POST', path('v2'), { body: boat('a') });
  assert.deepEqual([created['apiVersion'], at(created, 'spec', 'size')], ['sea.example.com/v2', 5]);
  assert.equal(at(journey.callsTo('/size')[0]?.request, 'object', 'apiVersion'), 'sea.example.com/v1');
  const { spec } = boats(false);
  await server.expect(200, 'PATCH', `${definition}/boats.sea.example.com`, {
    body: { spec },
    contentType: mergePatch,
  });
  // Admission hears of it as the gateway does, each in its own time.
  for (let i = 0; ; i++) {
    const calls = journey.callsTo('/size').length;
    await server.expect(201, 'POST', path('v2'), { body: boat(`b${i}`) });
    if (journey.callsTo('/size').length === calls) break;
    assert.ok(i < 600, 'the version stays an equivalent');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
});

function boats(v1Served: boolean) {
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer' } } } };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return {
    metadata: { name: 'boats.sea.example.com' },
    spec: {
      group: 'sea.example.com',
      scope: 'Namespaced',
      names: { plural: 'boats', kind: 'Boat' },
      versions: [
        { name: 'v1', served: v1Served, storage: false, schema },
        { name: 'v2', served: true, storage: true, schema },
      ],
    },
  };
}

async function established(server: AdminServer, path: string): Promise<void> {
  for (let i = 0; ; i++) {
    const conditions = at((await server.send('GET', path)).body, 'status', 'conditions');
    const all = Array.isArray(conditions) ? conditions : [];
    if (all.some(one => at(one, 'type') === 'Established' && at(one, 'status') === 'True')) return;
    assert.ok(i < 600, 'the definition does not become established');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
