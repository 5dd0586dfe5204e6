/**
 * The outcome of some work, or a rejection with the signal's reason, or what `reasonOf` gives, when the signal aborts
 * first. The work itself is not stopped by this; what becomes of it later is ignored.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reasonOf: () => unknown = () => signal.reason,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(reasonOf());
    const forget = (): void => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.finally(forget).then(resolve, reject);
  });
}
