/** The kind of a failure: no credentials, no connection, a timeout, an error status, or an invalid body. */
type RemoteWebhookErrorKind = 'credentials' | 'connection' | 'timeout' | 'status' | 'answer';

/** Options of a RemoteWebhookError. */
interface RemoteWebhookFailure {
  readonly kind: RemoteWebhookErrorKind;
  /** The problem, without content of the request or the answer, which may hold secrets. */
  readonly problem: string;
  /** HTTP status of the answer, if there was one. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly mayRetry?: boolean;
}

/** The error of a failed call of a remote webhook; the message names the server and holds no secret. */
export class RemoteWebhookError extends Error {
  readonly kind: RemoteWebhookErrorKind;
  /** HTTP status of the answer; undefined without an answer. */
  readonly status: number | undefined;
  /** Whether the same call may succeed later. */
  readonly mayRetry: boolean;
  /** Delay that the server requests before a retry, in ms; default: 0. */
  readonly retryAfterMs: number;

  constructor(
    server: URL,
    { kind, problem, status, retryAfterMs = 0, mayRetry = false }: RemoteWebhookFailure,
  ) {
    // User, password and query of a URL may be secrets.
    super(`webhook ${server.origin}${server.pathname}: ${problem}`);
    this.name = 'RemoteWebhookError';
    this.kind = kind;
    this.status = status;
    this.mayRetry = mayRetry;
    this.retryAfterMs = retryAfterMs;
  }
}
