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
  /** Milliseconds for which a plugin counts as away after a call found it so; default: 3,000. */
  readonly awayMs?: number;
  /** The clock, in milliseconds; default: `performance.now`. */
  readonly now?: () => number;
}

interface WaitingCall {
  readonly since: number;
  readonly start: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Limits the calls of one method of a plugin that are under way at once; further ones wait in their order.
 *
 * A plugin is away when a call finds it unreachable or silent and no other call was answered meanwhile; a single call that is late is
 * that call's failure alone. Then every call that waits fails with the same error, and for some seconds so does every further one at
 * once, but for one at a time, which finds out when the plugin is back: requests do not pile up, each for its timeout.
 */
export class CallQueue {
  readonly #options: Required<CallQueueOptions>;
  readonly #waiting = new Set<WaitingCall>();
  #running = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** The last failure of a plugin that is away; `until` is the time at which it is forgotten. */
  #away: { readonly error: unknown; readonly until: number } | undefined;

  constructor(options: CallQueueOptions) {
    this.#options = {
      ...{ mostRunning: 32, mostWaiting: 20_000, longestWaitMs: 30_000, awayMs: 3000 },
      now: () => performance.now(),
      ...options,
    };
  }

  /** Whether no call is under way or waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Makes a call when there is room for it. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const { mostRunning, awayMs, now } = this.#options;
    if (this.#running === 0 && this.#away !== undefined && now() >= this.#away.until) this.#away = undefined;
    // The call that is under way finds out whether the plugin is back.
    if (this.#running > 0 && this.#away !== undefined) throw this.#away.error;
    if (this.#running < mostRunning) this.#running++;
    else await this.#wait();
    const startedAt = now();
    try {
      const answer = await call();
      this.#noteAnswer();
      return answer;
    } catch (thrown) {
      if (!isGone(thrown)) this.#noteAnswer();
      else if (this.#answeredAt < startedAt) {
        this.#away = { error: thrown, until: now() + awayMs };
        this.#failWaiting(thrown);
      }
      throw thrown;
    } finally {
      this.#startNext();
    }
  }

  #noteAnswer(): void {
    this.#answeredAt = this.#options.now();
    this.#away = undefined;
  }

  #wait(): Promise<void> {
    if (this.#waiting.size >= this.#options.mostWaiting)
      throw new KmsError('overloaded', `too many calls wait for KMS plugin "${this.#options.plugin}"`);
    return new Promise((start, fail) => {
      this.#waiting.add({ since: this.#options.now(), start, fail });
    });
  }

  /** Gives the place of a call that has ended to the first one that has not waited too long. */
  #startNext(): void {
    const { plugin, longestWaitMs, now } = this.#options;
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      if (now() - waiting.since < longestWaitMs) {
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
