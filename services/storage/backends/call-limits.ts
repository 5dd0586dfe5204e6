import { type CallContext, millisecondsUntil } from '@binnacle/proto';
import { endsAtDeadline, hasEnded, onCallEnd } from '@binnacle/rpc';
import { StorageError } from '@binnacle/storage-contract';

/** Throws when the caller gave up before the call began. */
export function assertWanted(call: CallContext): void {
  // A call that has come to its deadline has ended as well.
  if (millisecondsUntil(call.deadline) <= 0) throw late();
  if (hasEnded(call)) throw cancelled();
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
  return new Promise((resolve, reject) => {
    const onEnd = (): void => reject(giveUp(millisecondsUntil(call.deadline) <= 0 ? late() : cancelled()));
    if (hasEnded(call)) {
      work.catch(() => {});
      onEnd();
      return;
    }
    const forget = onCallEnd(call, onEnd);
    // A call of this process ends by itself at its deadline.
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
