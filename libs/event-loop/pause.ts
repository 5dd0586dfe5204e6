/** The clock of a pause. */
export interface PauseClock {
  /** Calls back once after some milliseconds; returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** How a pause is made. */
interface PauseOptions {
  /** By default timers that keep the process alive. */
  readonly clock?: PauseClock;
  /** Called at once with what ends the pause early; returns what takes that back. */
  readonly wakeBy?: (wake: () => void) => () => void;
}

const timers: PauseClock = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.max(milliseconds, 0));
    return () => clearTimeout(timer);
  },
};

/**
 * Resolves after some milliseconds, when the signal aborts, or when it is woken, whichever comes first. It never rejects,
 * and leaves no timer and no listener behind.
 */
export function pause(
  milliseconds: number,
  signal: AbortSignal,
  { clock = timers, wakeBy }: PauseOptions = {},
): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    let forget: (() => void) | undefined;
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
      cancel();
      forget?.();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener('abort', end, { once: true });
    forget = wakeBy?.(end);
    if (hasEnded) forget?.();
  });
}
