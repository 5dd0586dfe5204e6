/** A destination of audit events. */
export interface AuditSink extends AsyncDisposable {
  /** Delivers events, in order. Rejects when they are lost; those before stay delivered. */
  write(events: readonly string[], signal: AbortSignal): Promise<void>;
}
