import { internalError } from './factories.ts';
import type { StatusCause, StatusDetails } from './status.ts';
import { StatusError } from './status-error.ts';

/** Options of encoding an error. */
interface EncodeStatusErrorOptions {
  /** Maximum length in bytes; causes are dropped from the end, then the message is truncated; default: unlimited. */
  readonly maxBytes?: number;
}

/** Encodes an error for another service: the JSON of its `Status`, without cause and stack. */
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

/** Decodes an error that `encodeStatusError` wrote; other bytes become an internal error. */
export function decodeStatusError(bytes: Uint8Array): StatusError {
  const value = parse(bytes);
  if (!isRecord(value) || typeof value['code'] !== 'number' || !Number.isInteger(value['code'])) {
    return internalError('a service answered with an error that cannot be read');
  }
  return statusErrorFromStatus(value, value['code']);
}

/** Converts a parsed `Status` to an error; any other value becomes an error with the given code. */
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
 * Returns a thrown value as a `StatusError`.
 *
 * Any other value becomes an internal error that keeps it as `cause` for the log, and does not reveal it.
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
