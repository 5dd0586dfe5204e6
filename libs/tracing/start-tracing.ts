import { hostname } from 'node:os';
import { versionInfo } from '@binnacle/build-info';
import {
  isSampled,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type TraceContext,
  type Tracer,
  unrecordedTrace,
} from '@binnacle/proto';
import { credentials } from '@grpc/grpc-js';
import {
  type Context,
  createTraceState,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { SpanQueue } from './span-queue.ts';
import type { TracedProcess, Tracing } from './tracing.ts';
import type { TracingConfiguration } from './tracing-configuration.ts';

const exportTimeoutMs = 5_000;
const flushTimeoutMs = 3_000;
/** Longest value of an attribute: clients choose paths and user agents. */
const longestValue = 1024;

/** Starts recording spans, which are exported over OTLP/gRPC without TLS, as kube-apiserver does. */
export function startTracing(
  { endpoint, samplingRatePerMillion }: TracingConfiguration,
  process: TracedProcess,
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: endpoint.startsWith('unix:') ? endpoint : `http://${endpoint}`,
    credentials: credentials.createInsecure(),
    timeoutMillis: exportTimeoutMs,
  });
  const queue = new SpanQueue(exporter, { ...process, endpoint });
  const provider = new TracerProvider({
    // Nothing is started here that is not sampled.
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({
      'service.name': process.service,
      'service.namespace': 'binnacle',
      'service.version': versionInfo().gitVersion,
      'service.instance.id': `${hostname()}/${globalThis.process.pid}`,
    }),
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [queue],
  });
  return {
    tracer: createTracer(provider.getTracer('binnacle'), samplingRatePerMillion),
    async [Symbol.asyncDispose]() {
      await queue.flush(flushTimeoutMs);
      // Not awaited: it waits for a request that a silent collector does not answer.
      provider.shutdown().catch(() => {});
    },
  };
}

function createTracer(tracer: OtelTracer, samplingRatePerMillion: number): Tracer {
  const samplingRate = samplingRatePerMillion / 1_000_000;
  return {
    samples: () => samplingRate > 0 && Math.random() < samplingRate,
    start: (name, options, parent) =>
      startSpan(tracer, { name, ...options }, parent === undefined ? ROOT_CONTEXT : contextFrom(parent)),
    join(parent) {
      if (!isSampled(parent)) return unrecordedTrace(parent);
      const { traceparent, tracestate } = parent;
      return {
        traceparent,
        tracestate,
        isSampled: true,
        start: (name, options) => startSpan(tracer, { name, ...options }, contextFrom(parent)),
      };
    },
  };
}

/** The context of a span of another process. */
function contextFrom({ traceparent, tracestate }: TraceContext): Context {
  const [, traceId = '', spanId = '', flags = '0'] = traceparent.split('-');
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== '' && { traceState: createTraceState(tracestate) }),
  };
  return trace.setSpanContext(ROOT_CONTEXT, context);
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

function startSpan(
  tracer: OtelTracer,
  { name, kind = 'internal', startTime = readClock(), ...options }: SpanOptions & { readonly name: string },
  parent: Context,
): Span {
  return new RecordedSpan(
    tracer,
    tracer.startSpan(name, { kind: kinds[kind], startTime, ...options }, parent),
  );
}

/** A span of the SDK, as the services know it. */
class RecordedSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceparent: string;
  readonly isSampled = true;
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;

  constructor(tracer: OtelTracer, span: OtelSpan) {
    const { traceId, spanId } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.traceparent = `00-${traceId}-${spanId}-01`;
    this.#tracer = tracer;
    this.#span = span;
  }

  get tracestate(): string {
    return this.#span.spanContext().traceState?.serialize() ?? '';
  }

  start(name: string, options?: SpanOptions): Span {
    return startSpan(this.#tracer, { name, ...options }, trace.setSpan(ROOT_CONTEXT, this.#span));
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(message: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: message.slice(0, longestValue) });
  }

  end(): void {
    if (this.#span.isRecording()) this.#span.end(readClock());
  }
}

/** Zero of the monotonic clock, in milliseconds since 1970. */
let clockOrigin = performance.timeOrigin;

/**
 * Milliseconds since 1970, with fractions: the SDK begins spans at whole ones, so that viewers show short steps of a request in a
 * wrong order. The monotonic clock counts within the millisecond of the system's, which may be set meanwhile.
 */
function readClock(): number {
  const system = Date.now();
  const monotonic = performance.now();
  const ahead = clockOrigin + monotonic - system;
  if (ahead < 0 || ahead >= 2) clockOrigin = system - monotonic;
  return clockOrigin + monotonic;
}
