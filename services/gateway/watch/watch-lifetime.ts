import type { Watcher } from '@binnacle/watch-cache';

/**
 * The lifetime of a watch, which ends when its time is up, its credential expires, its client is gone, or its cache
 * ends it.
 */
export class WatchLifetime {
  #watcher: Watcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** Whether the watch has ended, which can happen while it begins. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Notes that the watch has begun, unless it has ended already. */
  begin(watcher: Watcher, milliseconds: number): void {
    if (this.#isOver) return;
    this.#watcher = watcher;
    this.#timer = setTimeout(() => this.expire(), milliseconds);
  }

  /** Ends the watch as at its timeout: its credential is no longer valid. */
  expire(): void {
    this.#watcher?.close({ bookmark: true });
  }

  /** Ends the watch because the client is gone. */
  close(): void {
    this.#watcher?.close();
  }

  /** Notes that the watch has ended. */
  end(): void {
    this.#isOver = true;
    this.#watcher = undefined;
    clearTimeout(this.#timer);
  }
}
