import type { Watcher } from '@binnacle/watch-cache';

/** How long a watch lasts: until its time is up, its credential expires, its client is gone, or its cache ends it. */
export class WatchLifetime {
  #watcher: Watcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** Whether the watch has ended, which it can do while it begins. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The watch has begun, unless it is over already. */
  begin(watcher: Watcher, milliseconds: number): void {
    if (this.#isOver) return;
    this.#watcher = watcher;
    this.#timer = setTimeout(() => this.expire(), milliseconds);
  }

  /** The credential that it began with is good no longer: it ends as it does when its time is up. */
  expire(): void {
    this.#watcher?.close({ bookmark: true });
  }

  /** The client is gone. */
  close(): void {
    this.#watcher?.close();
  }

  /** The watch has ended. */
  end(): void {
    this.#isOver = true;
    this.#watcher = undefined;
    clearTimeout(this.#timer);
  }
}
