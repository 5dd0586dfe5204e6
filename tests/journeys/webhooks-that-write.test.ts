import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@binnacle/api-objects';
import { at } from './admin-server.ts';
import { objectAt } from './setup/json-parts.ts';
import { startWebhookJourney, type WebhookJourney } from './webhook-journey.ts';

const contentType = 'application/merge-patch+json';
/** Longer than a write has its object for itself while others wait. */
const slowMs = 600;

let journey: WebhookJourney;

before(async () => {
  journey = await startWebhookJourney({
    '/writes': () => writeFirst,
    '/marks': () => markFirst,
    '/slow': () => waitFirst,
  });
});
after(() => journey?.[Symbol.asyncDispose]());

function allow(response: ServerResponse, review: JsonObject): void {
  const answer = { uid: at(review, 'request', 'uid') ?? '', allowed: true };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ apiVersion: review['apiVersion'], kind: 'AdmissionReview', response: answer }),
  );
}

/** Labels the object under review before it answers, unless it has the label. */
function writeFirst(response: ServerResponse, review: JsonObject): void {
  void (async () => {
    const { namespace, name, object } = review['request'] as Record<string, JsonObject>;
    if (at(object, 'metadata', 'labels', 'seen') === undefined) {
      const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
      const body = { metadata: { labels: { seen: 'yes' } } };
      await journey.server.expect(200, 'PATCH', path, { body, contentType });
    }
    allow(response, review);
  })();
}

/** Annotates the object for each of the values that it is to have before it answers, unless it is annotated. */
function markFirst(response: ServerResponse, review: JsonObject): void {
  void (async () => {
    const { namespace, name, object } = review['request'] as Record<string, JsonObject>;
    const values = Object.keys((at(object, 'data') ?? {}) as JsonObject);
    const missing = values.filter(value => at(object, 'metadata', 'annotations', value) === undefined);
    if (missing.length > 0) {
      const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
      const annotations = Object.fromEntries(missing.map(value => [value, 'marked']));
      await journey.server.expect(200, 'PATCH', path, { body: { metadata: { annotations } }, contentType });
    }
    allow(response, review);
  })();
}

function waitFirst(response: ServerResponse, review: JsonObject): void {
  void (async () => {
    await pause(slowMs);
    allow(response, review);
  })();
}

const patches = [
  { what: 'merge patch', contentType, body: { data: { a: '1' } } },
  {
    what: 'JSON patch',
    contentType: 'application/json-patch+json',
    body: [{ op: 'add', path: '/data', value: { a: '1' } }],
  },
  {
    what: 'apply',
    query: '?fieldManager=m',
    contentType: 'application/apply-patch+yaml',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } },
  },
] as const;
for (const kind of ['mutating', 'validating'] as const) {
  for (const { what, ...patch } of patches) {
    test(`a ${kind} webhook can write the object that it reviews: ${what}`, async () => {
      const { server } = journey;
      const label = `writes-${kind}-${what.replace(' ', '-')}`;
      const namespace = await server.namespace();
      const path = `${namespace}/configmaps/a`;
      const metadata = { name: 'a', labels: { case: label } };
      await server.expect(201, 'POST', `${namespace}/configmaps`, { body: { metadata } });
      await using _webhook = await journey.configure(kind, journey.webhook('/writes', label));
      const query = 'query' in patch ? patch.query : '';
      const written = await server.expect(200, 'PATCH', path + query, {
        body: JSON.stringify(patch.body),
        contentType: patch.contentType,
      });
      assert.deepEqual(at(written, 'data'), { a: '1' });
      assert.equal(at(written, 'metadata', 'labels', 'seen'), 'yes');
      assert.deepEqual(await server.expect(200, 'GET', path), written);
    });
  }
}

test('webhooks can write an object that many writes change', async () => {
  const { server } = journey;
  const namespace = await server.namespace();
  const path = `${namespace}/configmaps/a`;
  const metadata = { name: 'a', labels: { case: 'marks' } };
  await server.expect(201, 'POST', `${namespace}/configmaps`, { body: { metadata } });
  // Two dozen writes, one after another, on a machine that may be slow.
  const timeoutSeconds = 30;
  await using _webhook = await journey.configure(
    'validating',
    journey.webhook('/marks', 'marks', { timeoutSeconds }),
  );
  const clients = Array.from({ length: 12 }, (_, i) => `c${i}`);
  await Promise.all(
    clients.map(client =>
      server.expect(200, 'PATCH', path, { body: { data: { [client]: '1' } }, contentType }),
    ),
  );
  const { data, metadata: after } = await server.expect(200, 'GET', path);
  assert.deepEqual(Object.keys(objectAt(data)).sort(), [...clients].sort());
  assert.deepEqual(Object.keys(objectAt(after)['annotations'] as JsonObject).sort(), [...clients].sort());
});

test('a write that waits for a webhook succeeds among faster ones of its object', async () => {
  const { server } = journey;
  const namespace = await server.namespace();
  const collection = namespace.replace('/api/v1/', '/apis/apps/v1/').concat('/deployments');
  const labels = { case: 'slow' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const body = { metadata: { name: 'a', labels }, spec: { selector: { matchLabels: labels }, template } };
  await server.expect(201, 'POST', collection, { body });
  const rules = [
    { operations: ['UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
  ];
  await using _webhook = await journey.configure('validating', journey.webhook('/slow', 'slow', { rules }));
  let isThrough = false;
  const statuses = Array.from({ length: 4 }, async (_, i) => {
    let written = 0;
    while (!isThrough) {
      const status = { unavailableReplicas: ++written * 4 + i };
      await server.expect(200, 'PATCH', `${collection}/a/status`, { body: { status }, contentType });
    }
    return written;
  });
  const spec = { paused: true };
  const slow = await server.send('PATCH', `${collection}/a`, { body: { spec }, contentType });
  isThrough = true;
  assert.equal(slow.code, 200, JSON.stringify(slow.body));
  for (const written of await Promise.all(statuses)) assert.ok(written > 0);
  assert.equal(at(await server.expect(200, 'GET', `${collection}/a`), 'spec', 'paused'), true);
});
