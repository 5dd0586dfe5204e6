import type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts';

/** Options of a `StatusError`. */
interface StatusErrorOptions {
  readonly reason: StatusReason;
  /** HTTP status code, 400 to 599. */
  readonly code: number;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
  /** Kept for the log; never leaves the process. */
  readonly cause?: unknown;
}

/**
 * A failure that a client of the API may see, from the place where it happens to the response that renders it.
 *
 * It crosses calls between services unchanged, except for `cause` and the stack.
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

  /** The causes of the error, in the order in which they were found. */
  get causes(): readonly StatusCause[] {
    return this.details?.causes ?? [];
  }

  /** Seconds after which a retry makes sense: the `Retry-After` header of the response. */
  get retryAfterSeconds(): number | undefined {
    return this.details?.retryAfterSeconds;
  }

  /** The body of the response. */
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
 * The connection to another service broke while a call was under way: its outcome is unknown, unless `isUnprocessed`.
 *
 * A read may go to another pod; a write may or may not have happened. To a client of the API it is a 503.
 */
export class ConnectionLost extends StatusError {
  /** Whether the other side certainly did not begin to process the call: any call may then go to another pod. */
  readonly isUnprocessed: boolean;

  constructor(message: string, cause?: unknown, { isUnprocessed = false } = {}) {
    super({ reason: 'ServiceUnavailable', code: 503, message, cause });
    this.name = 'ConnectionLost';
    this.isUnprocessed = isUnprocessed;
  }
}
