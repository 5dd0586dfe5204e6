import type { CallContext } from '@binnacle/proto';
import { abortError } from '../protocol/abort-error.ts';
import { hasEnded, onCallEnd } from './call-context.ts';

/**
 * Returns the outcome of `work`, or rejects when the call ends first.
 *
 * The work itself is not stopped; its later failure is ignored.
 */
export function withDeadline<T>(
  work: Promise<T>,
  call: Pick<CallContext, 'signal' | 'deadline'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(abortError(call));
    const forget = hasEnded(call) ? end() : onCallEnd(call, end);
    work.then(
      result => {
        forget?.();
        resolve(result);
      },
      (error: unknown) => {
        forget?.();
        reject(error);
      },
    );
  });
}
