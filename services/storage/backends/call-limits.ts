import { type CallContext, millisecondsUntil } from '@binnacle/proto';
import { endsAtDeadline, hasEnded, onCallEnd } from '@binnacle/rpc';
import { StorageError } from '@binnacle/storage-contract';

/** Asserts that the caller has not given up before the call begins. */
export function assertWanted(call: CallContext): void {
  // The deadline ends a call as well.
  if (millisecondsUntil(call.deadline) <= 0) throw late();
  if (hasEnded(call)) throw cancelled();
}

/** Creates the error of a call that the caller ended before anything was changed. */
export function cancelled(): StorageError {
  return new StorageError('cancelled', 'the caller ended the call');
}

/** Creates the error of a call whose deadline passed before anything was changed. */
export function late(): StorageError {
  return new StorageError('deadline', 'storage did not answer before the deadline');
}

/**
 * Waits for some work, but no longer than the call's signal and deadline: then it throws the error that `giveUp` creates, and the
 * outcome of the work is ignored.
 */
export function withinCall<T>(
  work: Promise<T>,
  call: CallContext,
  giveUp: (reason: StorageError) => StorageError = reason => reason,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onEnd = (): void => reject(giveUp(millisecondsUntil(call.deadline) <= 0 ? late() : cancelled()));
    if (hasEnded(call)) {
      work.catch(() => {});
      onEnd();
      return;
    }
    const forget = onCallEnd(call, onEnd);
    // A call that ends by itself at its deadline needs no timer here.
    const left = Math.min(Math.max(millisecondsUntil(call.deadline), 0), 2 ** 31 - 1);
    const timer = endsAtDeadline(call) ? undefined : setTimeout(() => reject(giveUp(late())), left);
    const stop = (): void => {
      forget();
      if (timer !== undefined) clearTimeout(timer);
    };
    work.then(
      result => {
        stop();
        resolve(result);
      },
      (thrown: unknown) => {
        stop();
        reject(thrown);
      },
    );
  });
}
