import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { decodeEnvelope, decodeProtobuf, encodeProtobuf } from '@binnacle/codecs';
import { at } from './admin-server.ts';
import { type ApiServer, until } from './api-server.ts';
import { objectAt, valuesAt } from './setup/json-parts.ts';
import { shareApiServer } from './shared-server.ts';

const namespace = 'versions';
const mergePatch = { 'Content-Type': 'application/merge-patch+json' };
const v1 = `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`;
const v2 = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
const events = `/apis/events.cluster.io/v1/namespaces/${namespace}/events`;
const coreEvents = `/api/v1/namespaces/${namespace}/events`;
let server: ApiServer;

before(async () => {
  server = await shareApiServer();
  await server.namespace(namespace);
});
after(() => server[Symbol.asyncDispose]());

const autoscaler = (name: string, spec: JsonObject) => ({
  metadata: { name },
  spec: { maxReplicas: 4, scaleTargetRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'd' }, ...spec },
});

async function expect(code: number, method: string, path: string, options: object = {}): Promise<JsonValue> {
  const answer = await server.call(method, path, options);
  assert.equal(answer.code, code, `${method} ${path}: ${answer.text}`);
  return answer.json as unknown as JsonValue;
}

test('an object written in one version is read in every other', async () => {
  const created = await expect(201, 'POST', v1, {
    body: autoscaler('a', { targetCPUUtilizationPercentage: 50 }),
  });
  assert.equal(at(created, 'apiVersion'), 'autoscaling/v1');
  const newer = await expect(200, 'GET', `${v2}/a`);
  assert.equal(at(newer, 'apiVersion'), 'autoscaling/v2');
  const target = ['spec', 'metrics', 0, 'resource', 'target', 'averageUtilization'];
  assert.equal(at(newer, ...target), 50);
  assert.equal(at(newer, 'metadata', 'resourceVersion'), at(created, 'metadata', 'resourceVersion'));
  const patched = await expect(200, 'PATCH', `${v1}/a`, {
    body: { spec: { targetCPUUtilizationPercentage: 60 } },
    headers: mergePatch,
  });
  assert.equal(at(patched, 'spec', 'targetCPUUtilizationPercentage'), 60);
  const repeated = await expect(200, 'GET', `${v2}/a`);
  assert.equal(at(repeated, ...target), 60);
  const replaced = await expect(200, 'PUT', `${v2}/a`, { body: repeated });
  assert.equal(at(replaced, 'metadata', 'resourceVersion'), at(repeated, 'metadata', 'resourceVersion'));
  const list = await expect(200, 'GET', v1);
  assert.deepEqual(
    [at(list, 'apiVersion'), at(list, 'kind')],
    ['autoscaling/v1', 'HorizontalPodAutoscalerList'],
  );
  assert.equal(at(list, 'items', 0, 'spec', 'targetCPUUtilizationPercentage'), 60);
  await expect(200, 'DELETE', `${v1}/a`);
  await expect(404, 'GET', `${v2}/a`);
});

test('a request is validated by the rules of its own version', async () => {
  const unknown = { ...autoscaler('strict', { metrics: [] }) };
  await expect(400, 'POST', `${v1}?fieldValidation=Strict`, { body: unknown });
  const unreported = { metadata: { name: 'unreported' }, reason: 'Because', type: 'Normal' };
  const about = { kind: 'Pod', namespace, name: 'o' };
  await expect(201, 'POST', coreEvents, { body: { ...unreported, involvedObject: about } });
  const eventTime = '2026-01-01T00:00:00.000000Z';
  const body = { ...unreported, metadata: { name: 'other' }, regarding: about, eventTime };
  const refused = await expect(422, 'POST', events, { body });
  // Clients know findings about both forms as those of one kind.
  assert.deepEqual([at(refused, 'details', 'kind'), at(refused, 'details', 'group')], ['Event', undefined]);
  const fields = valuesAt(refused, 'details', 'causes').map(cause => at(cause, 'field'));
  assert(fields.includes('reportingController'), String(fields));
});

test('an object has the same resourceVersion in every version', async () => {
  const created = await expect(201, 'POST', v2, { body: autoscaler('rv', {}) });
  const stale = at(created, 'metadata', 'resourceVersion');
  await expect(200, 'PATCH', `${v1}/rv`, { body: { spec: { maxReplicas: 5 } }, headers: mergePatch });
  const body = { ...objectAt(created), spec: autoscaler('rv', { maxReplicas: 9 }).spec };
  await expect(409, 'PUT', `${v2}/rv`, { body });
  const fromHere = await expect(200, 'GET', `${v1}?resourceVersion=${stale}&resourceVersionMatch=Exact`);
  const items = valuesAt(fromHere, 'items');
  const seen = items.find(item => at(item, 'metadata', 'name') === 'rv');
  assert.equal(at(seen, 'spec', 'maxReplicas'), 4);
});

test('watches in every version see the same changes with the same resourceVersions', async () => {
  const start = at(await expect(200, 'GET', v1), 'metadata', 'resourceVersion');
  using older = await server.watch(`${v1}?watch=1&resourceVersion=${start}`);
  using newer = await server.watch(`${v2}?watch=1&resourceVersion=${start}`);
  using table = await server.watch(`${v1}?watch=1&resourceVersion=${start}`, {
    headers: { Accept: 'application/json;as=Table;g=meta.cluster.io;v=v1' },
  });
  await expect(201, 'POST', v1, { body: autoscaler('w', { targetCPUUtilizationPercentage: 10 }) });
  await expect(200, 'PATCH', `${v2}/w`, { body: { spec: { maxReplicas: 7 } }, headers: mergePatch });
  await expect(200, 'DELETE', `${v2}/w`);
  const seen = (stream: typeof older) =>
    stream.events.map(event => [event.type, event.object.metadata.resourceVersion]);
  await until('three events each', () => [older, newer, table].every(stream => stream.events.length === 3));
  assert.deepEqual(
    older.events.map(event => event.type),
    ['ADDED', 'MODIFIED', 'DELETED'],
  );
  assert.deepEqual(seen(older), seen(newer));
  assert.deepEqual(seen(older), seen(table));
  for (const { object } of older.events) assert.equal(object.apiVersion, 'autoscaling/v1');
  for (const { object } of newer.events) assert.equal(object.apiVersion, 'autoscaling/v2');
});

test('field selectors use the field names of the requested version', async () => {
  const about = (name: string) => ({
    metadata: { name: `about-${name}` },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/controller',
    reportingInstance: 'one',
    action: 'Look',
    reason: 'Because',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace, name },
  });
  for (const name of ['p', 'q']) await expect(201, 'POST', events, { body: about(name) });
  const selections = [
    `${events}?fieldSelector=regarding.name%3Dp`,
    `${events}?fieldSelector=regarding.name%3Dp&limit=5&resourceVersion=`,
    `${coreEvents}?fieldSelector=involvedObject.name%3Dp`,
    `${events}?fieldSelector=reportingController%3Dexample.com/controller,regarding.name!%3Dq`,
  ];
  for (const path of selections) {
    const list = await expect(200, 'GET', path);
    const names = valuesAt(list, 'items').map(item => at(item, 'metadata', 'name'));
    assert.deepEqual(names, ['about-p'], path);
  }
  using watched = await server.watch(`${events}?watch=1&fieldSelector=regarding.name%3Dq`);
  await until('the one event', () => watched.events.length === 1);
  assert.equal(at(watched.events[0] as unknown as JsonValue, 'object', 'regarding', 'name'), 'q');
  await expect(400, 'GET', `${coreEvents}?fieldSelector=regarding.name%3Dp`);
});

test('every version has its own protobuf form', async () => {
  await expect(201, 'POST', v2, { body: autoscaler('pb', {}) });
  const headers = { Accept: 'application/vnd.kubernetes.protobuf' };
  const message = (version: string) => messageNamed(`autoscaling.${version}.HorizontalPodAutoscaler`);
  for (const [path, version] of [
    [v1, 'v1'],
    [v2, 'v2'],
  ] as const) {
    const { bytes } = await server.call('GET', `${path}/pb`, { headers });
    const { object, apiVersion, kind } = decodeProtobuf(bytes, message(version));
    assert.deepEqual([apiVersion, kind], [`autoscaling/${version}`, 'HorizontalPodAutoscaler']);
    assert.equal(at(object, 'spec', 'maxReplicas'), 4);
    const { bytes: list } = await server.call('GET', path, { headers });
    assert.equal(decodeEnvelope(list).apiVersion, `autoscaling/${version}`);
    const renamed = { ...object, apiVersion, kind, metadata: { name: `pb-${version}` } };
    const sent = { ...headers, 'Content-Type': 'application/vnd.kubernetes.protobuf' };
    const body = encodeProtobuf(message(version), renamed);
    const created = await server.call('POST', path, { headers: sent, body });
    assert.equal(created.code, 201, created.text);
  }
});

test('a list can be continued in any version', async () => {
  for (const name of ['l1', 'l2', 'l3'])
    await expect(201, 'POST', v2, {
      body: { ...autoscaler(name, {}), metadata: { name, labels: { l: 'x' } } },
    });
  const first = await expect(200, 'GET', `${v2}?labelSelector=l%3Dx&limit=2`);
  const token = encodeURIComponent(String(at(first, 'metadata', 'continue')));
  const rest = await expect(200, 'GET', `${v1}?labelSelector=l%3Dx&limit=2&continue=${token}`);
  assert.equal(at(rest, 'items', 0, 'metadata', 'name'), 'l3');
});

test('a collection can be deleted in any version', async () => {
  await expect(200, 'DELETE', v1);
  assert.deepEqual(at(await expect(200, 'GET', v2), 'items'), []);
});
