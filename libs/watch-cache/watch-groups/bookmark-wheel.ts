import type { WatchCacheClock } from '../contract/environment.ts';
import type { GroupWatcher } from './group-watcher.ts';

const slotCount = 60;

/**
 * Schedules one bookmark per watcher and interval, evenly spread: a turn of the wheel takes one interval, and watchers are
 * assigned to its slots round-robin.
 */
export class BookmarkWheel implements Disposable {
  readonly #slots: Set<GroupWatcher>[] = Array.from({ length: slotCount }, () => new Set<GroupWatcher>());
  readonly #clock: WatchCacheClock;
  readonly #tickMs: number;
  readonly #onTick: () => void;
  #cursor = 0;
  #next = 0;
  #cancel: () => void;

  /** Calls `onTick` before each slot: 60 times per interval. */
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
