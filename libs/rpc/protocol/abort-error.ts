import { type CallContext, millisecondsUntil } from '@binnacle/proto';
import { StatusError, timeout } from '@binnacle/status-errors';

/** Returns the error of a call whose signal is aborted: the signal's reason if that is a `StatusError`, else a 504. */
export function abortError(call: Pick<CallContext, 'signal' | 'deadline'>): StatusError {
  const { reason } = call.signal;
  if (reason instanceof StatusError) return reason;
  if (millisecondsUntil(call.deadline) <= 0) return timeout('the call did not finish before its deadline');
  return new StatusError({
    reason: 'Timeout',
    code: 504,
    message: 'the caller cancelled the call',
    cause: reason,
  });
}
