import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { type ClientConfiguration, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { followLines } from '../journeys/setup/http-message.ts';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { startWebhooks, type WebhookServer } from '../journeys/webhook-server.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';
import { spanTree } from './span-tree.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const clientSpan = '00f067aa0ba902b7';

let files: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let collector: Collector;
let hooks: WebhookServer;
let form: Distributed;
let configuration: ClientConfiguration;

before(async () => {
  files = await createTemporaryDirectory();
  collector = await startCollector();
  hooks = await startWebhooks({ '/allow': () => ({ allowed: true }) });
  const file = join(files.path, 'tracing.yaml');
  await writeFile(
    file,
    `apiVersion: apiserver.config.cluster.io/v1alpha1\nkind: TracingConfiguration\nendpoint: ${collector.endpoint}\n`,
  );
  const traced = [`--tracing-config-file=${file}`];
  form = await startDistributed({
    dataDirectory: join(files.path, 'data'),
    port: await findFreePort(),
    arguments: {
      gateway: traced,
      admission: traced,
      storage: traced,
      'token-review': traced,
      'webhook-dispatch': [...traced, '--allow-loopback-webhooks'],
    },
  });
  configuration = loadClientConfiguration(form.adminConfiguration);
});
after(async () => {
  await form?.[Symbol.asyncDispose]();
  await hooks?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
  await files?.[Symbol.asyncDispose]();
});

interface Sending {
  readonly gateway: string;
  readonly path: string;
  readonly body?: object;
  readonly traceparent?: string;
}

function send({ gateway, path, body, traceparent }: Sending): Promise<IncomingMessage> {
  const { certificateAuthority: ca, clientCertificate: cert, clientKey: key } = configuration;
  return new Promise((resolve, reject) => {
    const sent = request(gateway + path, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      ca,
      cert,
      key,
      headers: { 'content-type': 'application/json', ...(traceparent !== undefined && { traceparent }) },
    });
    sent.on('response', resolve).on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

async function create(
  path: string,
  { body, traceparent }: { body: object; traceparent?: string },
): Promise<void> {
  const [gateway = ''] = form.gateways;
  const message = await send({ gateway, path, body, ...(traceparent !== undefined && { traceparent }) });
  const text = Buffer.concat(await message.toArray()).toString();
  assert.equal(message.statusCode, 201, text);
}

const name = ({ service, name: span }: CollectedSpan): string => `${service}: ${span}`;

test('one trace leads from the create at one gateway through all services to the frame of a watcher at the other', {
  timeout: 240_000,
}, async t => {
  await create('/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations', {
    body: {
      metadata: { name: 'traced' },
      webhooks: [
        {
          name: 'a.example.com',
          clientConfig: { url: `${hooks.url}/allow`, caBundle: hooks.caBundle },
          rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    },
  });
  const [, other = ''] = form.gateways;
  const watching = await send({ gateway: other, path: `${collection}?watch=true` });
  const seen: string[] = [];
  void followLines(watching, line => seen.push(line));
  await pollUntil('the webhook is called', async () => {
    await create(collection, { body: { metadata: { generateName: 'untraced-' } } });
    return hooks.calls.length > 0 && seen.some(line => line.includes('"untraced-'));
  });
  assert.deepEqual(
    collector.spans.map(name).filter(span => span.includes('KubernetesAPI')),
    [],
  );
  // After its start a gateway may follow storage directly for a while: then the span of its receipt is below that of the write.
  await pollUntil('the gateways follow the topic', async () => {
    const reading = ['gateway-1', 'gateway-2'].map(async gateway => {
      const response = await fetch(`http://127.0.0.1:${form.operationsPort(gateway)}/metrics`);
      return /^binnacle_change_feed_direct 0$/m.test(await response.text());
    });
    return (await Promise.all(reading)).every(isFollowing => isFollowing);
  });
  const spans = await traceThroughTopic();
  watching.destroy();
  const [start = 0] = spans.map(span => span.start).sort((one, second) => one - second);
  const timed = spanTree(
    spans,
    clientSpan,
    span => `${name(span)} +${(span.start - start).toFixed(1)} ms, ${(span.end - span.start).toFixed(1)} ms`,
  );
  for (const line of timed) t.diagnostic(line);
  const lines = spanTree(spans, clientSpan, name);
  for (const line of expected) assert.ok(lines.includes(line), line);
  assert.ok(Number(frameOf('gateway-2', spans)?.attributes['watchers']) >= 1);
  const posts = spans.filter(span => span.name === 'HTTP POST');
  const [{ traceId = '' } = {}] = posts;
  assert.ok(
    posts.some(({ spanId }) => hooks.calls.some(call => call.traceparent === `00-${traceId}-${spanId}-01`)),
    'the webhook saw the trace',
  );
});

/** The spans of one create; under load, calls that go to a second pod have more. */
const expected: readonly string[] = [
  'gateway: KubernetesAPI',
  '  gateway: authentication',
  '  gateway: priority and fairness',
  '  gateway: authorization',
  '  gateway: Create',
  '    gateway: binnacle.internal.admission.Admission/Review',
  '      admission: Admission',
  '        admission: Call validating webhook',
  '          admission: binnacle.internal.webhook_dispatch.WebhookDispatch/Call',
  '            webhook-dispatch: HTTP POST',
  '    gateway: binnacle.internal.storage.Storage/Transact',
  '      storage: Create etcd3',
  '        storage: wait for the batch',
  '        storage: etcdserverpb.KV/Txn',
  '        storage: publish',
  '          gateway: receive',
  '            gateway: watch frame',
];

function frameOf(gateway: string, spans: readonly CollectedSpan[]): CollectedSpan | undefined {
  const process = `/${form.process(gateway).pid}`;
  return spans.find(span => span.name === 'watch frame' && span.instance.endsWith(process));
}

/**
 * Creates an object in a trace, and returns its spans once all are there and connected. A gateway whose topic was silent for a moment
 * received the change from storage; then another object is created.
 */
async function traceThroughTopic(): Promise<readonly CollectedSpan[]> {
  for (let attempt = 1; ; attempt++) {
    const traceId = `${attempt}`.padStart(32, '4bf92f3577b34da6');
    const spans = () => collector.spans.filter(span => span.traceId === traceId);
    const parentOf = (span: CollectedSpan | undefined) =>
      spans().find(({ spanId }) => spanId === span?.parentSpanId);
    await create(collection, {
      body: { metadata: { name: `traced-${attempt}` } },
      traceparent: `00-${traceId}-${clientSpan}-01`,
    });
    await pollUntil('the spans arrive', () => {
      const names = spans().map(name);
      const isComplete = expected.every(line => names.includes(line.trim()));
      const isConnected = spanTree(spans(), clientSpan, name).length === names.length;
      return isComplete && isConnected && frameOf('gateway-2', spans()) !== undefined;
    });
    if (parentOf(parentOf(frameOf('gateway-2', spans())))?.name === 'publish') return spans();
    assert.ok(attempt < 20, 'the gateway never followed the topic');
  }
}
