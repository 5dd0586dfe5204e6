import type { WatchCacheClock } from '../contract/environment.ts';
import type { GroupWatcher } from './group-watcher.ts';

const slotCount = 60;

/**
 * Gives every watcher its turn for a bookmark once an interval, spread evenly over it: a turn of the wheel takes an
 * interval, and watchers are dealt out to its slots one by one.
 */
export class BookmarkWheel implements Disposable {
  readonly #slots: Set<GroupWatcher>[] = Array.from({ length: slotCount }, () => new Set<GroupWatcher>());
  readonly #clock: WatchCacheClock;
  readonly #tickMs: number;
  readonly #onTick: () => void;
  #cursor = 0;
  #next = 0;
  #cancel: () => void;

  /** Calls `onTick` before each slot: sixty times an interval. */
  constructor(clock: WatchCacheClock, intervalMs: number, onTick: () => void) {
    this.#clock = clock;
    this.#tickMs = Math.max(10, intervalMs / slotCount);
    this.#onTick = onTick;
    this.#cancel = clock.after(this.#tickMs, () => this.#tick());
  }

  add(watcher: GroupWatcher): void {
    watcher.slot = this.#next;
    this.#slots[watcher.slot]?.add(watcher);
    this.#next = (this.#next + 1) % slotCount;
  }

  remove(watcher: GroupWatcher): void {
    this.#slots[watcher.slot]?.delete(watcher);
    watcher.slot = -1;
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }

  #tick(): void {
    this.#cancel = this.#clock.after(this.#tickMs, () => this.#tick());
    this.#onTick();
    const due = this.#slots[this.#cursor];
    this.#cursor = (this.#cursor + 1) % slotCount;
    if (due !== undefined) for (const watcher of due) watcher.writeBookmark();
  }
}
