import type { CallContext } from '@binnacle/proto';
import { abortError } from '../rpc/abort-error.ts';

/**
 * The promise's outcome, or a rejection with the call's end when that comes first.
 *
 * The work itself is not stopped by this; a late failure of it is ignored.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  call: Pick<CallContext, 'signal' | 'deadline'>,
): Promise<T> {
  const { signal } = call;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(abortError(call));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
