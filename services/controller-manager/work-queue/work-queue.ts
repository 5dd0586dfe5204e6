import { Backoff, pause } from '@binnacle/event-loop';
import type { Reconciled } from './reconciled.ts';

/** Options of a work queue. */
export interface WorkQueueOptions {
  /** Keys processed at the same time. */
  readonly concurrency: number;
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<Reconciled>;
  readonly onError: (key: string, error: unknown) => void;
  readonly firstRetryMs?: number;
  readonly longestRetryMs?: number;
}

/**
 * Queue of keys to reconcile, each at most once at a time. A key that is added while it is processed is processed once more afterwards;
 * one whose pass fails is retried with growing pauses. There are never more entries than keys.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  readonly #backoffs = new Map<string, Backoff>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #wake = Promise.withResolvers<void>();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Number of keys that are queued or processed; those that wait for a retry do not count. */
  get depth(): number {
    return this.#waiting.size + this.#working.size;
  }

  /** Adds a key, to be processed soon. */
  add(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#waiting.add(key);
    this.#wake.resolve();
  }

  /** Schedules a key after so many milliseconds, in place of its previous schedule. */
  addAfter(key: string, ms: number): void {
    this.#later(key, ms);
  }

  /** Processes keys until the signal aborts, and then finishes the passes under way. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#wake.resolve();
    signal.addEventListener('abort', stop, { once: true });
    const workers = Array.from({ length: this.#options.concurrency }, () => this.#work(signal));
    await Promise.all(workers);
    signal.removeEventListener('abort', stop);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const key = this.#next();
      if (key === undefined) {
        const wake = this.#wake;
        await wake.promise;
        // The first worker to wake creates the promise on which all of them wait next.
        if (this.#wake === wake && !signal.aborted) this.#wake = Promise.withResolvers<void>();
        continue;
      }
      await this.#reconcile(key, signal);
      await pause(0, signal); // Lets events of the informers in between two keys.
    }
  }

  #next(): string | undefined {
    for (const key of this.#waiting) {
      if (this.#working.has(key)) continue;
      this.#waiting.delete(key);
      this.#working.add(key);
      return key;
    }
    return undefined;
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await this.#options.reconcile(key, signal);
      if (outcome.kind === 'retry') return this.#later(key, this.#retryMs(key));
      this.#backoffs.delete(key);
      if (outcome.kind === 'again') this.#later(key, outcome.afterMs);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.onError(key, error);
      this.#later(key, this.#retryMs(key));
    } finally {
      this.#working.delete(key);
      if (this.#waiting.has(key)) this.#wake.resolve();
    }
  }

  #retryMs(key: string): number {
    const { firstRetryMs = 100, longestRetryMs = 30_000 } = this.#options;
    const backoff =
      this.#backoffs.get(key) ?? new Backoff({ firstMs: firstRetryMs, longestMs: longestRetryMs });
    this.#backoffs.set(key, backoff);
    return backoff.next();
  }

  #later(key: string, ms: number): void {
    if (this.#waiting.has(key)) return;
    clearTimeout(this.#timers.get(key));
    this.#timers.set(key, setTimeout(() => this.add(key), ms).unref());
  }
}
