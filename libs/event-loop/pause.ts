/** The clock of a pause. */
export interface PauseClock {
  /** Calls back once after so many milliseconds; returns a function that cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Options of a pause. */
interface PauseOptions {
  /** Default: timers that keep the process alive. */
  readonly clock?: PauseClock;
  /** Called at once with a function that ends the pause early; returns a function that unregisters it. */
  readonly wakeBy?: (wake: () => void) => () => void;
}

const timers: PauseClock = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.max(milliseconds, 0));
    return () => clearTimeout(timer);
  },
};

/**
 * Resolves after so many milliseconds, when the signal aborts, or when it is woken, whichever comes first. It never
 * rejects, and removes its timer and listeners.
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
