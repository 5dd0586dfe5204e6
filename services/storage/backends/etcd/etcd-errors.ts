import { BackendRefusal } from '@binnacle/backend-access';
import { errorMessage } from '@binnacle/status-errors';
import { isStorageError, maxTransactionBytes, StorageError } from '@binnacle/storage-contract';
import { etcdRefusalFrom } from './etcd-refusal.ts';
import { findGrpcCode, grpcCode, wasNotSent } from './grpc-code.ts';

/** Creates the storage error for a failed read of etcd. */
export function storageErrorFromEtcd(thrown: unknown): StorageError {
  if (isStorageError(thrown)) return thrown;
  const refusal = etcdRefusalFrom(thrown);
  if (refusal !== undefined) return new StorageError('unavailable', refusal.message, { cause: refusal });
  const message = errorMessage(thrown);
  const cause = { cause: thrown };
  switch (findGrpcCode(thrown)) {
    case grpcCode.outOfRange:
      // etcd uses one code for both ends of history; only the text tells which.
      if (message.includes('compacted'))
        return new StorageError('compacted', 'history no longer reaches the revision', cause);
      if (message.includes('future')) {
        return new StorageError('future-revision', 'the store has not reached the revision', cause);
      }
      break;
    case grpcCode.deadlineExceeded:
      return new StorageError('deadline', 'etcd did not answer before the deadline', cause);
    case grpcCode.invalidArgument:
    case grpcCode.resourceExhausted:
      if (isNoSpace(thrown))
        return new StorageError(
          'full',
          'etcd has no space left and accepts no writes: its alarm NOSPACE is raised',
          cause,
        );
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

/** Whether etcd has refused a request because its database has reached its quota. */
export function isNoSpace(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('database space exceeded');
}

/** Whether a failed transaction certainly did not reach etcd's log and will never commit. */
export function isRefusal(thrown: unknown): boolean {
  if (isStorageError(thrown)) return thrown.kind !== 'unknown-outcome';
  if (thrown instanceof BackendRefusal) return true;
  switch (findGrpcCode(thrown)) {
    case grpcCode.invalidArgument:
    case grpcCode.resourceExhausted:
    case grpcCode.failedPrecondition:
    case grpcCode.permissionDenied:
    case grpcCode.unauthenticated:
      return true;
    default:
      return wasNotSent(thrown);
  }
}
