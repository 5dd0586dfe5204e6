import { type CallContext, millisecondsUntil } from '@binnacle/proto';
import { StorageError } from '@binnacle/storage-contract';

/** Throws when the caller gave up before the call began. */
export function assertWanted(call: CallContext): void {
  if (call.signal.aborted) throw cancelled();
  if (millisecondsUntil(call.deadline) <= 0) throw late();
}

/** The error of a call that the caller ended before anything was changed. */
export function cancelled(): StorageError {
  return new StorageError('cancelled', 'the caller ended the call');
}

/** The error of a call whose time was up before anything was changed. */
export function late(): StorageError {
  return new StorageError('deadline', 'storage gave no answer within the deadline');
}

/**
 * The result of some work, unless the call's signal or deadline comes first: then what `giveUp` makes of it is
 * thrown, and the work's own end is ignored.
 */
export function withinCall<T>(
  work: Promise<T>,
  call: CallContext,
  giveUp: (reason: StorageError) => StorageError = reason => reason,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = (): void => reject(giveUp(cancelled()));
  const left = Math.min(Math.max(millisecondsUntil(call.deadline), 0), 2 ** 31 - 1);
  const timer = setTimeout(() => reject(giveUp(late())), left);
  call.signal.addEventListener('abort', onAbort, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', onAbort);
  });
}
