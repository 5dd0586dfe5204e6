import { KmsError } from './kms-error.ts';

/** Options of a queue of calls. */
interface CallQueueOptions {
  /** Name of the plugin, for errors. */
  readonly plugin: string;
  /** Calls under way at once; default: 32. */
  readonly mostRunning?: number;
  /** Calls that wait; further ones fail at once. Default: 20,000. */
  readonly mostWaiting?: number;
  /** Milliseconds that a call waits before it fails; default: 30,000. */
  readonly longestWaitMs?: number;
}

interface WaitingCall {
  readonly since: number;
  readonly start: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Limits the calls of one method of a plugin that are under way at once; further ones wait in their order.
 *
 * When the plugin turns out to be unreachable or silent, every call that waits fails with the same error: ten thousand reads cost one
 * timeout, not one for each 32 of them.
 */
export class CallQueue {
  readonly #options: Required<CallQueueOptions>;
  readonly #waiting = new Set<WaitingCall>();
  #running = 0;

  constructor(options: CallQueueOptions) {
    this.#options = { mostRunning: 32, mostWaiting: 20_000, longestWaitMs: 30_000, ...options };
  }

  /** Whether no call is under way or waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Makes a call when there is room for it. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.mostRunning) this.#running++;
    else await this.#wait();
    try {
      return await call();
    } catch (thrown) {
      if (isGone(thrown)) this.#failWaiting(thrown);
      throw thrown;
    } finally {
      this.#startNext();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.size >= this.#options.mostWaiting)
      throw new KmsError('overloaded', `too many calls wait for KMS plugin "${this.#options.plugin}"`);
    return new Promise((start, fail) => {
      this.#waiting.add({ since: performance.now(), start, fail });
    });
  }

  /** Gives the place of a call that has ended to the first one that has not waited too long. */
  #startNext(): void {
    const { plugin, longestWaitMs } = this.#options;
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      if (performance.now() - waiting.since < longestWaitMs) {
        waiting.start();
        return;
      }
      waiting.fail(
        new KmsError('overloaded', `KMS plugin "${plugin}" is too slow for the calls that wait for it`),
      );
    }
    this.#running--;
  }

  #failWaiting(error: unknown): void {
    for (const { fail } of this.#waiting) fail(error);
    this.#waiting.clear();
  }
}

function isGone(thrown: unknown): boolean {
  return thrown instanceof KmsError && (thrown.failure === 'unreachable' || thrown.failure === 'silent');
}
