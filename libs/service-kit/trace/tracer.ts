import {
  createChildSpan,
  createTrace,
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from './traceparent.ts';

/** A span that has ended. */
export interface SpanRecord {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly fields: { readonly [field: string]: unknown };
}

/** A piece of work that is under way. */
interface Span {
  readonly context: TraceContext;
  /** For the calls that the work makes. */
  readonly traceparent: string;
  /** Ends the span and, when its trace is sampled, hands it to the tracer's hook. */
  end(fields?: { readonly [field: string]: unknown }): void;
}

/** How a tracer works. */
interface TracerOptions {
  /** The share of traces begun here that are sampled, 0 to 1; a trace that came from outside keeps its decision. Default: 0. */
  readonly sampleRatio?: number;
  /** Takes every ended span of a sampled trace: a log line, an exporter. */
  readonly onSpan?: (span: SpanRecord) => void;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** A number from 0 up to 1. */
  readonly random?: () => number;
}

/** Begins spans. */
interface Tracer {
  /** Begins a span; without a well-formed parent it begins a trace. */
  start(name: string, parentTraceparent?: string): Span;
}

/** Creates a tracer. */
export function createTracer(options: TracerOptions = {}): Tracer {
  const { sampleRatio = 0, onSpan, clock = Date.now, random = Math.random } = options;
  return {
    start(name, parentTraceparent) {
      const parent = parseTraceparent(parentTraceparent);
      const context = parent ? createChildSpan(parent) : createTrace(random() < sampleRatio);
      const startedAt = clock();
      const end: Span['end'] = (fields = {}) => {
        if (!context.sampled) return;
        const { traceId, spanId } = context;
        const durationMs = clock() - startedAt;
        onSpan?.({ name, traceId, spanId, parentSpanId: parent?.spanId, startedAt, durationMs, fields });
      };
      return { context, traceparent: formatTraceparent(context), end };
    },
  };
}
