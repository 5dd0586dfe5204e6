import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { createLogger } from '@binnacle/telemetry';
import { type Answer, type ApiServer, startApiServer, until } from '../journeys/api-server.ts';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { startWebhooks, type WebhookServer } from '../journeys/webhook-server.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';
import { spanTree } from './span-tree.ts';

const clientSpan = '00f067aa0ba902b7';
let traces = 0;

/** A trace of a client that no other test has. */
function newTrace(flags = '01') {
  const traceId = `${++traces}`.padStart(32, '4bf92f3577b34da6');
  return { traceId, traceparent: `00-${traceId}-${clientSpan}-${flags}` };
}

let files: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let collector: Collector;
let hooks: WebhookServer;
let server: ApiServer;
const logged: Record<string, unknown>[] = [];

const log = createLogger({
  format: 'json',
  sink: line => {
    logged.push(JSON.parse(line) as Record<string, unknown>);
  },
});

async function writeConfiguration(name: string, content: object): Promise<string> {
  const file = join(files.path, name);
  const head = { apiVersion: 'apiserver.config.cluster.io/v1alpha1', kind: 'TracingConfiguration' };
  await writeFile(file, JSON.stringify({ ...head, ...content }));
  return file;
}

before(async () => {
  files = await createTemporaryDirectory();
  collector = await startCollector();
  hooks = await startWebhooks({ '/allow': () => ({ allowed: true }) });
  server = await startApiServer({
    tracingConfigFile: await writeConfiguration('tracing.yaml', { endpoint: collector.endpoint }),
    accessLog: 'all',
    log,
  });
  const webhook = {
    name: 'a.example.com',
    clientConfig: { url: `${hooks.url}/allow`, caBundle: hooks.caBundle },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
  };
  const { code, text } = await server.call(
    'POST',
    '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations',
    { body: { metadata: { name: 'traced' }, webhooks: [webhook] } },
  );
  assert.equal(code, 201, text);
  await until('the webhook is called', async () => {
    const answer = await create('probe', {});
    return answer.code !== 409 && hooks.calls.length > 0;
  });
});
beforeEach(() => {
  hooks.calls.length = 0;
  logged.length = 0;
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await hooks?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
  await files?.[Symbol.asyncDispose]();
});

function create(
  name: string,
  headers: Record<string, string | string[]>,
  token?: string | null,
): Promise<Answer> {
  return server.call('POST', '/api/v1/namespaces/default/configmaps', {
    body: { metadata: { generateName: `${name}-` } },
    headers,
    ...(token !== undefined && { token }),
  });
}

const spansOf = (traceId: string): CollectedSpan[] =>
  collector.spans.filter(span => span.traceId === traceId);

/** Waits for the span of a frame, which is the last of a write. */
async function completeTrace(traceId: string): Promise<CollectedSpan[]> {
  await until('the spans arrive', () => {
    const names = spansOf(traceId).map(({ name }) => name);
    return names.includes('watch frame') && names.includes('KubernetesAPI');
  });
  return spansOf(traceId);
}

test('one trace leads from the create through authorization, admission, the webhook and the store to the frame of a watcher', async () => {
  using watches = new DisposableStack();
  for (const selector of ['', '', '', '&labelSelector=a!=b', '&labelSelector=a!=b', '&labelSelector=a=b'])
    watches.use(await server.watch(`/api/v1/namespaces/default/configmaps?watch=true${selector}`));
  const { traceId, traceparent } = newTrace();
  const { code, headers } = await create('traced', { traceparent, tracestate: 'vendor=1' });
  assert.equal(code, 201);
  const spans = await completeTrace(traceId);
  const lines = spanTree(spans, clientSpan, ({ name }) => name);
  assert.deepEqual(lines, [
    'KubernetesAPI',
    '  authentication',
    '  priority and fairness',
    '  authorization',
    '  Create',
    '    Admission',
    '      Call validating webhook',
    '        HTTP POST',
    '    Create embedded',
    '      receive',
    '        watch frame',
  ]);
  assert.equal(lines.length, spans.length);
  const find = (wanted: string) => spans.find(({ name }) => name === wanted);
  const request = find('KubernetesAPI');
  assert.equal(request?.attributes['audit-id'], headers['audit-id']);
  assert.equal(request?.attributes['http.status_code'], '201');
  // Not in the same millisecond, where viewers would order them by name.
  const [fairness, authorization, step] = ['priority and fairness', 'authorization', 'Create'].map(find);
  assert.ok(fairness && authorization && step);
  assert.ok(fairness.start < authorization.start && authorization.start < step.start);
  assert.equal(request?.traceState, 'vendor=1');
  // One span for all watchers whose query the object matches, of both groups; controllers may have watches of their own.
  const { watchers, groups } = find('watch frame')?.attributes ?? {};
  assert.ok(Number(watchers) >= 5 && Number(groups) >= 2, `${watchers} watchers in ${groups} groups`);
  const [called] = hooks.calls;
  assert.equal(called?.traceparent, `00-${traceId}-${find('HTTP POST')?.spanId}-01`);
  assert.equal(called?.tracestate, 'vendor=1');
  const line = logged.find(
    ({ message, auditId }) => message === 'request' && auditId === headers['audit-id'],
  );
  assert.deepEqual([line?.['trace_id'], line?.['span_id']], [traceId, request?.spanId]);
});

test('a trace that its client does not sample is not recorded, and its ids reach webhooks', async () => {
  const { traceId, traceparent } = newTrace('00');
  assert.equal((await create('unsampled', { traceparent })).code, 201);
  assert.equal(hooks.calls[0]?.traceparent, traceparent);
  await assertNotRecorded(traceId);
});

test('a request without a trace has none, at a sampling rate of zero', async () => {
  assert.equal((await create('untraced', {})).code, 201);
  assert.equal(hooks.calls[0]?.traceparent, '');
});

test('a client that is not authenticated has nothing recorded', async () => {
  const { traceId, traceparent } = newTrace();
  assert.equal((await create('anonymous', { traceparent }, null)).code, 403);
  assert.equal((await create('unknown', { traceparent }, 'nobody')).code, 401);
  await assertNotRecorded(traceId);
});

/** Asserts that a trace has no span once a later one has arrived. */
async function assertNotRecorded(traceId: string): Promise<void> {
  const { traceId: later, traceparent } = newTrace();
  await create('later', { traceparent });
  await until('the later spans arrive', () => spansOf(later).some(({ name }) => name === 'KubernetesAPI'));
  assert.deepEqual(spansOf(traceId), []);
}

const rubbish: readonly (readonly [string, string | string[]])[] = [
  ['another version', `01-${'1'.repeat(32)}-${clientSpan}-01`],
  ['no ids', `00-${'0'.repeat(32)}-${clientSpan}-01`],
  ['capital letters', `00-${'A'.repeat(32)}-${clientSpan}-01`],
  ['more than a traceparent', `00-${'2'.repeat(32)}-${clientSpan}-01-more`],
  ['a long text', 'x'.repeat(10_000)],
  ['two headers', [`00-${'3'.repeat(32)}-${clientSpan}-01`, `00-${'4'.repeat(32)}-${clientSpan}-01`]],
];

for (const [what, traceparent] of rubbish)
  test(`a traceparent that is none is ignored: ${what}`, async () => {
    assert.equal((await create('rubbish', { traceparent })).code, 201);
    assert.equal(hooks.calls[0]?.traceparent, '');
  });

test('a tracestate of more than 512 characters does not go on', async () => {
  const { traceparent } = newTrace('00');
  assert.equal((await create('long', { traceparent, tracestate: `v=${'x'.repeat(600)}` })).code, 201);
  assert.deepEqual([hooks.calls[0]?.traceparent, hooks.calls[0]?.tracestate], [traceparent, '']);
});

test('a request that fails is a failed span with its code', async () => {
  const { traceId, traceparent } = newTrace();
  const { code } = await server.call('GET', '/api/v1/namespaces/default/configmaps/absent', {
    headers: { traceparent },
  });
  assert.equal(code, 404);
  await until('the span arrives', () => spansOf(traceId).some(({ name }) => name === 'KubernetesAPI'));
  const request = spansOf(traceId).find(({ name }) => name === 'KubernetesAPI');
  assert.deepEqual([request?.attributes['http.status_code'], request?.isFailed], ['404', false]);
});

test('traces that begin here are sampled at the rate of the file', async () => {
  await using own = await startCollector();
  const file = await writeConfiguration('all.yaml', {
    endpoint: own.endpoint,
    samplingRatePerMillion: 1_000_000,
  });
  await using all = await startApiServer({ tracingConfigFile: file });
  const path = '/api/v1/namespaces/default/configmaps';
  assert.equal((await all.call('POST', path, { body: { metadata: { name: 'a' } } })).code, 201);
  const { traceparent } = newTrace();
  // The trace of a client that is not authenticated is not joined: the request begins one of its own.
  assert.equal((await all.call('GET', path, { token: null, headers: { traceparent } })).code, 403);
  const requests = () => own.spans.filter(({ name }) => name === 'KubernetesAPI');
  const isRequest = ({ attributes }: CollectedSpan, method: string, code: string) =>
    attributes['http.target'] === path &&
    attributes['http.method'] === method &&
    attributes['http.status_code'] === code;
  await until('the spans arrive', () =>
    [
      ['POST', '201'],
      ['GET', '403'],
    ].every(([method = '', code = '']) => requests().some(span => isRequest(span, method, code))),
  );
  assert.ok(requests().every(span => span.parentSpanId === ''));
});

test('a collector that is away costs nothing else: requests go on, drops are counted, and it is logged once', async () => {
  await using own = await startCollector();
  const port = Number(own.endpoint.split(':')[1]);
  const file = await writeConfiguration('away.yaml', {
    endpoint: own.endpoint,
    samplingRatePerMillion: 1_000_000,
  });
  await using all = await startApiServer({ tracingConfigFile: file, log });
  const requests = async () => {
    const { text } = await all.call('GET', '/metrics');
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    return {
      exported: value('binnacle_tracing_exported_spans_total'),
      dropped: value('binnacle_tracing_dropped_spans_total'),
    };
  };
  await until('spans are exported', async () => (await requests()).exported > 0);
  assert.equal((await requests()).dropped, 0);
  await own[Symbol.asyncDispose]();
  await until('spans are dropped', async () => (await requests()).dropped > 0);
  const dropped = (await requests()).dropped;
  await until('more spans are dropped', async () => (await requests()).dropped > dropped);
  const about = (text: string) => logged.filter(({ message }) => String(message).includes(text)).length;
  assert.equal(about('spans cannot be exported'), 1);
  await using _back = await startCollector(port);
  const { exported } = await requests();
  await until('spans are exported again', async () => (await requests()).exported > exported);
  assert.equal(about('spans are exported again'), 1);
});

test('a stop exports the spans that wait, and does not wait for a silent collector', async () => {
  await using own = await startCollector();
  const file = await writeConfiguration('stop.yaml', {
    endpoint: own.endpoint,
    samplingRatePerMillion: 1_000_000,
  });
  const stopped = await startApiServer({ tracingConfigFile: file });
  const path = '/api/v1/namespaces/default/secrets/last';
  await stopped.call('GET', path);
  await stopped[Symbol.asyncDispose]();
  assert.ok(own.spans.some(({ attributes }) => attributes['http.target'] === path));
  own.isSilent = true;
  const silent = await startApiServer({ tracingConfigFile: file });
  await silent.call('GET', path);
  await silent[Symbol.asyncDispose]();
});
