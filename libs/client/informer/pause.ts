import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many milliseconds, or until the signal aborts; either way it resolves. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
