import { internalError } from './factories.ts';
import type { StatusCause, StatusDetails } from './status.ts';
import { StatusError } from './status-error.ts';

/** How an error is written for another service. */
interface EncodeStatusErrorOptions {
  /** Causes are left out from the end, then the message is cut, until the bytes are at most this many; default: no limit. */
  readonly maxBytes?: number;
}

/** Writes an error for another service: the JSON of its `Status`, without cause and stack. */
export function encodeStatusError(error: StatusError, options: EncodeStatusErrorOptions = {}): Uint8Array {
  const limit = options.maxBytes ?? Number.POSITIVE_INFINITY;
  const status = error.toStatus();
  let bytes = Buffer.from(JSON.stringify(status));
  let causes = status.details?.causes ?? [];
  while (bytes.length > limit && causes.length > 0) {
    causes = causes.slice(0, Math.floor(causes.length / 2));
    status.details = { ...status.details, causes };
    bytes = Buffer.from(JSON.stringify(status));
  }
  while (bytes.length > limit && status.message) {
    status.message = status.message.slice(0, Math.floor(status.message.length / 2));
    bytes = Buffer.from(JSON.stringify(status));
  }
  return bytes;
}

/** Reads what `encodeStatusError` wrote; bytes that are no error become an internal error. */
export function decodeStatusError(bytes: Uint8Array): StatusError {
  const value = parse(bytes);
  if (!isRecord(value) || typeof value['code'] !== 'number' || !Number.isInteger(value['code'])) {
    return internalError('a service answered with an error that cannot be read');
  }
  return statusErrorFromStatus(value, value['code']);
}

/** The error that a parsed `Status` stands for; of anything else, an error with the given code alone. */
export function statusErrorFromStatus(status: unknown, fallbackCode: number): StatusError {
  const value = isRecord(status) ? status : {};
  return new StatusError({
    reason: text(value['reason']) ?? '',
    code: typeof value['code'] === 'number' ? value['code'] : fallbackCode,
    message: text(value['message']) ?? `the server answered with code ${fallbackCode}`,
    details: isRecord(value['details']) ? detailsFrom(value['details']) : undefined,
  });
}

/**
 * The given error as a `StatusError`.
 *
 * Anything but a `StatusError` becomes an internal error that keeps it as `cause` for the log and says nothing of it.
 */
export function statusErrorFrom(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  return internalError('the server met an unexpected condition', error);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}

function detailsFrom(value: Record<string, unknown>): StatusDetails {
  const details: StatusDetails = {};
  for (const key of ['name', 'group', 'kind', 'uid'] as const) {
    const entry = text(value[key]);
    if (entry !== undefined) details[key] = entry;
  }
  if (Array.isArray(value['causes'])) details.causes = value['causes'].filter(isRecord).map(causeFrom);
  const retryAfterSeconds = value['retryAfterSeconds'];
  if (typeof retryAfterSeconds === 'number') details.retryAfterSeconds = retryAfterSeconds;
  return details;
}

function causeFrom(value: Record<string, unknown>): StatusCause {
  const cause: StatusCause = {};
  for (const key of ['reason', 'message', 'field'] as const) {
    const entry = text(value[key]);
    if (entry !== undefined) cause[key] = entry;
  }
  return cause;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
