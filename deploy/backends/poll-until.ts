import { setTimeout as delay } from 'node:timers/promises';

/** Options of `pollUntil`: its interval and its timeout. */
interface PollOptions {
  /** Ends the wait early; the signal's reason is thrown. */
  readonly signal?: AbortSignal;
  /** Milliseconds between two checks; 50 by default. */
  readonly intervalMs?: number;
  /** Milliseconds after which the wait fails; 60,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Waits until a condition holds: checks it repeatedly; false and an error both mean "no". Fails with the name of the
 * condition, and the last error, at the timeout.
 */
export async function pollUntil(
  what: string,
  condition: (signal: AbortSignal) => Promise<boolean> | boolean,
  options: PollOptions = {},
): Promise<void> {
  const { intervalMs = 50, timeoutMs = 60_000 } = options;
  const end = performance.now() + timeoutMs;
  let lastError: unknown;
  while (performance.now() < end) {
    options.signal?.throwIfAborted();
    try {
      // One check may hang (a paused server accepts connections and never answers).
      const question = AbortSignal.any([
        AbortSignal.timeout(2_000),
        ...(options.signal ? [options.signal] : []),
      ]);
      if (await condition(question)) return;
    } catch (error) {
      lastError = error;
    }
    await delay(intervalMs);
  }
  throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`, { cause: lastError });
}
