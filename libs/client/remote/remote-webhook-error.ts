/**
 * The kind of failure: no credentials, no connection, no answer in time, an answer of another status than success, or an
 * unusable body.
 */
type RemoteWebhookErrorKind = 'credentials' | 'connection' | 'timeout' | 'status' | 'answer';

/** The parts of an error of a remote webhook. */
interface RemoteWebhookFailure {
  readonly kind: RemoteWebhookErrorKind;
  /** Without anything that was sent or answered: both may hold secrets. */
  readonly problem: string;
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly mayRetry?: boolean;
}

/** A call of a remote webhook that failed; the message names the server and holds no secret. */
export class RemoteWebhookError extends Error {
  readonly kind: RemoteWebhookErrorKind;
  /** HTTP status of the answer; undefined when none came. */
  readonly status: number | undefined;
  /** Whether the same call may succeed later. */
  readonly mayRetry: boolean;
  /** Milliseconds that the server asks to wait; 0 when it does not. */
  readonly retryAfterMs: number;

  constructor(
    server: URL,
    { kind, problem, status, retryAfterMs = 0, mayRetry = false }: RemoteWebhookFailure,
  ) {
    // User, password and query of an address may be secrets.
    super(`webhook ${server.origin}${server.pathname}: ${problem}`);
    this.name = 'RemoteWebhookError';
    this.kind = kind;
    this.status = status;
    this.mayRetry = mayRetry;
    this.retryAfterMs = retryAfterMs;
  }
}
