/** Options of a wait: its errors and its time limit. */
interface WaitOptions {
  /** Creates the error for an aborted signal; default: the reason of the signal. */
  readonly reasonOf?: () => unknown;
  /** Maximum time of the wait; default: unlimited. */
  readonly limit?: {
    readonly milliseconds: number;
    /** Creates the error after that time. */
    readonly reasonOf: () => unknown;
  };
}

/**
 * Returns the outcome of `work`, or rejects when the signal aborts or the time limit passes first. The work itself is
 * not stopped; its later outcome is ignored. The listener and the timer are removed.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  { reasonOf = () => signal?.reason, limit }: WaitOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(reasonOf());
    };
    const onLimit = (): void => {
      signal?.removeEventListener('abort', onAbort);
      reject(limit?.reasonOf());
    };
    const timer = limit && setTimeout(onLimit, limit.milliseconds);
    const forget = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    work.then(
      outcome => {
        forget();
        resolve(outcome);
      },
      (error: unknown) => {
        forget();
        reject(error);
      },
    );
  });
}
