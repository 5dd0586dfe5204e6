/** What travels with every call between services: how long it may take, who may end it, and the trace it belongs to. */
export interface CallContext {
  /** Aborted when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970 after which no answer is wanted. */
  readonly deadline: number;
  /** W3C `traceparent` of the span that makes the call. */
  readonly traceparent?: string;
}
