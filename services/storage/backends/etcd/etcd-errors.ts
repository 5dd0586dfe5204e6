import { isStorageError, maxTransactionBytes, StorageError } from '@binnacle/storage-contract';

/** The gRPC status codes that tell something here. */
export const grpcCode = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unavailable: 14,
} as const;

/** The gRPC status code of a failed call to etcd: a property of raw stream errors, else only in the message. */
export function grpcCodeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('code' in thrown && typeof thrown.code === 'number') return thrown.code;
  const digits = /^(\d+) [A-Z_]+:/.exec(thrown.message)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The storage error that a failed read of etcd stands for. */
export function storageErrorFromEtcd(thrown: unknown): StorageError {
  if (isStorageError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const cause = { cause: thrown };
  switch (grpcCodeOf(thrown)) {
    case grpcCode.outOfRange:
      // etcd uses one code for both ends of history; only the text tells which.
      if (message.includes('compacted'))
        return new StorageError('compacted', 'history no longer reaches the revision', cause);
      if (message.includes('future')) {
        return new StorageError('future-revision', 'the store has not come to the revision', cause);
      }
      break;
    case grpcCode.deadlineExceeded:
      return new StorageError('deadline', 'etcd gave no answer within the deadline', cause);
    case grpcCode.invalidArgument:
    case grpcCode.resourceExhausted:
      if (/too large|larger than max|too many operations/.test(message)) {
        return new StorageError(
          'too-large',
          `etcd refuses the size of the transaction (${maxTransactionBytes} bytes are safe)`,
          cause,
        );
      }
      break;
    default:
  }
  return new StorageError('unavailable', `etcd is not available: ${message}`, cause);
}

/** Whether a failed transaction certainly did not reach etcd's log, so that it will never commit. */
export function isRefusal(thrown: unknown): boolean {
  if (isStorageError(thrown)) return thrown.kind !== 'unknown-outcome';
  switch (grpcCodeOf(thrown)) {
    case grpcCode.invalidArgument:
    case grpcCode.resourceExhausted:
    case grpcCode.failedPrecondition:
      return true;
    default:
      return wasNotSent(thrown);
  }
}

/** Whether a request failed before a connection stood. A connection that broke later says nothing. */
export function wasNotSent(thrown: unknown): boolean {
  if (grpcCodeOf(thrown) !== grpcCode.unavailable || !(thrown instanceof Error)) return false;
  return /No connection established|Name resolution failed|ECONNREFUSED/.test(thrown.message);
}
