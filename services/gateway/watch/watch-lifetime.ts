import type { Watcher } from '@binnacle/watch-cache';

/** How long a watch lasts: until its time is up, its client is gone, or its cache ends it. */
export class WatchLifetime {
  #watcher: Watcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** The watch has begun, unless it is over already. */
  begin(watcher: Watcher, milliseconds: number): void {
    if (this.#isOver) return;
    this.#watcher = watcher;
    this.#timer = setTimeout(() => watcher.close({ bookmark: true }), milliseconds);
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
