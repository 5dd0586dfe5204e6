import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from '@binnacle/backends';
import {
  createApiClient,
  createCredentialSource,
  createDirectClient,
  loadClientConfiguration,
} from '@binnacle/client';
import type { Check, CheckContext } from './checks.ts';

/** Statements about traces, in compositions with the profile tracing. */
export const traceChecks: readonly Check[] = [
  {
    what: 'one create is one trace in the viewer, from the request to the frame of a watcher',
    needs: 'zipkin',
    run: createIsTraced,
  },
];

const maps = '/api/v1/namespaces/default/configmaps';

/** A span in Zipkin's format, whose names are in small letters. */
interface ViewedSpan {
  readonly id: string;
  readonly parentId?: string;
  readonly name: string;
  readonly localEndpoint: { readonly serviceName: string };
}

const nameSpan = ({ localEndpoint, name }: ViewedSpan) => `${localEndpoint.serviceName}: ${name}`;

/** Some of the steps, from the first to the last. */
const steps = [
  'gateway: kubernetesapi',
  'gateway: authentication',
  'gateway: authorization',
  'admission: admission',
  'storage: create etcd3',
  'storage: publish',
  'gateway: receive',
  'gateway: watch frame',
];

async function createIsTraced({ file, adminConfiguration }: CheckContext): Promise<string> {
  const port = file.services['zipkin']?.ports?.[0]?.split(':').at(-2);
  const traceId = randomBytes(16).toString('hex');
  const clientSpan = randomBytes(8).toString('hex');
  await createUnderWatch(adminConfiguration, `00-${traceId}-${clientSpan}-01`);
  let spans: ViewedSpan[] = [];
  await pollUntil(
    'the viewer to have every step',
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v2/trace/${traceId}`);
      if (answer.ok) spans = (await answer.json()) as ViewedSpan[]; // Zipkin's format.
      return steps.every(step => spans.some(span => nameSpan(span) === step));
    },
    { timeoutMs: 60_000, intervalMs: 500 },
  ).catch(error => {
    throw new Error(`${String(error)}; it has: ${spans.map(nameSpan).join(', ')}`);
  });
  const ids = new Set([clientSpan, ...spans.map(({ id }) => id)]);
  for (const span of spans) assert.ok(ids.has(span.parentId ?? ''), `${nameSpan(span)} has no parent`);
  const services = new Set(spans.map(({ localEndpoint }) => localEndpoint.serviceName));
  return `${spans.length} spans of ${[...services].join(', ')}: http://127.0.0.1:${port}/zipkin/traces/${traceId}`;
}

/** Creates a config map with this `traceparent`, while a watch of another connection follows, until the watch has it. */
async function createUnderWatch(adminConfiguration: string, traceparent: string): Promise<void> {
  const configuration = loadClientConfiguration(adminConfiguration);
  await using watching = createApiClient({ configuration, userAgent: 'verify' });
  using credentialSource = createCredentialSource(configuration);
  const stopping = new AbortController();
  const { signal } = stopping;
  using tracing = createDirectClient({
    configuration,
    credentialSource,
    userAgent: 'verify',
    headers: { traceparent },
    timeoutMs: 30_000,
    signal,
    now: () => performance.now(),
  });
  const list = await watching.request<{ metadata: { resourceVersion: string } }>({
    method: 'GET',
    path: maps,
  });
  const name = `traced-${traceparent.slice(3, 11)}`;
  const query = `watch=true&resourceVersion=${list.metadata.resourceVersion}&fieldSelector=metadata.name%3D${name}`;
  const added = watching.watch(`${maps}?${query}`, signal)[Symbol.asyncIterator]().next();
  // The watch has reached its gateway before the create, or has its event from the past and no frame of its own.
  await delay(2_000);
  await tracing.json({ method: 'POST', path: maps, body: { metadata: { name } } });
  await added;
  stopping.abort();
  await watching.request({ method: 'DELETE', path: `${maps}/${name}` });
}
