import type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts';

/** Options of a `StatusError`. */
interface StatusErrorOptions {
  readonly reason: StatusReason;
  /** HTTP status code, 400 to 599. */
  readonly code: number;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
  /** Kept for the log; never sent. */
  readonly cause?: unknown;
}

/**
 * A failure that an API client may see, from its origin to the response that renders it.
 *
 * It is passed unchanged through calls between services, except for `cause` and the stack.
 */
export class StatusError extends Error {
  readonly reason: StatusReason;
  readonly code: number;
  readonly details: StatusDetails | undefined;

  constructor(options: StatusErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StatusError';
    this.reason = options.reason;
    this.code = options.code;
    this.details = options.details;
  }

  /** The causes of the error, in the order of validation. */
  get causes(): readonly StatusCause[] {
    return this.details?.causes ?? [];
  }

  /** Seconds after which the client may retry: the `Retry-After` header of the response. */
  get retryAfterSeconds(): number | undefined {
    return this.details?.retryAfterSeconds;
  }

  /** Returns the body of the response. */
  toStatus(): Status {
    const { message, reason, details, code } = this;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

/**
 * The error of a call whose connection to another service broke: its outcome is unknown, unless `isUnprocessed`.
 *
 * A read may be retried on another pod; a write may or may not have happened. An API client sees a 503.
 */
export class ConnectionLost extends StatusError {
  /** Whether no handler has seen the call, so that any call may be retried on another pod. */
  readonly isUnprocessed: boolean;

  constructor(message: string, cause?: unknown, { isUnprocessed = false } = {}) {
    super({ reason: 'ServiceUnavailable', code: 503, message, cause });
    this.name = 'ConnectionLost';
    this.isUnprocessed = isUnprocessed;
  }
}
