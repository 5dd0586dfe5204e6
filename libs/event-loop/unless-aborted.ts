/** The end of a wait: its errors, and a limit of time. */
interface WaitOptions {
  /** The error when the signal aborts; default: its reason. */
  readonly reasonOf?: () => unknown;
  /** The longest that is waited; default: without end. */
  readonly limit?: {
    readonly milliseconds: number;
    /** The error after that. */
    readonly reasonOf: () => unknown;
  };
}

/**
 * The outcome of some work, or a rejection when the signal aborts first, or a time is over. The work itself is not stopped by
 * this; what becomes of it later is ignored. No listener and no timer is left behind.
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
