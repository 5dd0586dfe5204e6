import { unlessAborted } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import { abortError } from '../rpc/abort-error.ts';

/**
 * The promise's outcome, or a rejection with the call's end when that comes first.
 *
 * The work itself is not stopped by this; a late failure of it is ignored.
 */
export function withDeadline<T>(
  work: Promise<T>,
  call: Pick<CallContext, 'signal' | 'deadline'>,
): Promise<T> {
  return unlessAborted(work, call.signal, () => abortError(call));
}
