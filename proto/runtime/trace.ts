/** The ids of a trace and of the span that others belong below, as the W3C headers carry them between processes. */
export interface TraceContext {
  /** W3C `traceparent`. */
  readonly traceparent: string;
  /** W3C `tracestate`; '' if there is none. */
  readonly tracestate: string;
}

/** The trace of a call: its context, which travels with the calls made for it, and the start of spans below it. */
export interface Trace extends TraceContext {
  /** Whether its caller records it. Calls of a trace that is not sampled need no span. */
  readonly isSampled: boolean;
  /** Starts a span below; undefined: the trace is not sampled, or this process records no spans. */
  start(name: string, options?: SpanOptions): Span | undefined;
}

/** The value of an attribute of a span. */
type AttributeValue = string | number | boolean;

/** Named values that describe a span. */
export type SpanAttributes = Readonly<Record<string, AttributeValue>>;

/** Options of a span. */
export interface SpanOptions {
  /** The role of the span in a call between processes; default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** Milliseconds since 1970; default: now. */
  readonly startTime?: number;
}

/** A span of a sampled trace that is being recorded. */
export interface Span extends Trace {
  readonly traceId: string;
  readonly spanId: string;
  start(name: string, options?: SpanOptions): Span;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  fail(message: string): void;
  /** Ends the span, and hands it over for export; only the first call counts. */
  end(): void;
}

/** Records the spans of a process. A process without tracing has none. */
export interface Tracer {
  /** Decides whether a trace that begins here is sampled. */
  samples(): boolean;
  /** Starts a span: the root of a new trace, or below a span of another process. */
  start(name: string, options: SpanOptions, parent?: TraceContext): Span;
  /** The trace of a call of another process: spans that are started in it are recorded if its traceparent says that it is sampled. */
  join(context: TraceContext): Trace;
}

/** Whether a text is a W3C `traceparent` of the version that is understood here. */
export function isTraceparent(text: unknown): text is string {
  return typeof text === 'string' && traceparentForm.test(text) && !noIds.test(text);
}

const traceparentForm = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Ids of zeros are invalid. */
const noIds = /^00-(0{32}-|[0-9a-f]{32}-0{16}-)/;

/** Whether the caller that made a traceparent records its trace. */
export function isSampled({ traceparent }: Pick<TraceContext, 'traceparent'>): boolean {
  return (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}

/** Creates the trace of a call in a process that records no span of it: its context goes on as it came. */
export function unrecordedTrace(context: TraceContext): Trace {
  const { traceparent, tracestate } = context;
  return { traceparent, tracestate, isSampled: isSampled(context), start: startNothing };
}

function startNothing(): undefined {}

/** The trace of a received call, of which the texts are not checked; undefined if there is none. */
export function receivedTrace(
  traceparent: string,
  tracestate: string,
  tracer: Tracer | undefined,
): Trace | undefined {
  if (traceparent === '' || !isTraceparent(traceparent)) return undefined;
  const context = { traceparent, tracestate: isTracestate(tracestate) ? tracestate : '' };
  return tracer === undefined ? unrecordedTrace(context) : tracer.join(context);
}

/** Whether a text can go on as a `tracestate`: printable, and of the length that W3C asks every participant to carry. */
export function isTracestate(text: unknown): text is string {
  return typeof text === 'string' && /^[\x20-\x7e]{0,512}$/.test(text);
}
