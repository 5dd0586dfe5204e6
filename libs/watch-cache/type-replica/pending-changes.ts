import type { Revision } from '@binnacle/storage-contract';
import type { ReceivedChange } from './received-change.ts';

/** Changes that arrive while a type is being listed, bounded like the window; the oldest are dropped first. */
export class PendingChanges {
  readonly #limits: { readonly events: number; readonly bytes: number };
  #changes: ReceivedChange[] = [];
  #head = 0;
  #bytes = 0;
  #lostUpTo: Revision = 0;

  constructor(limits: { readonly events: number; readonly bytes: number }) {
    this.#limits = limits;
  }

  /** Changes up to this revision may have been dropped. */
  get lostUpTo(): Revision {
    return this.#lostUpTo;
  }

  add(change: ReceivedChange): void {
    this.#changes.push(change);
    this.#bytes += countBytes(change);
    while (this.#changes.length - this.#head > this.#limits.events || this.#bytes > this.#limits.bytes) {
      const lost = this.#changes[this.#head];
      if (lost === undefined) return;
      this.#bytes -= countBytes(lost);
      this.#lostUpTo = lost.revision;
      this.#head++;
      if (this.#head > 1024 && this.#head * 2 > this.#changes.length) {
        this.#changes = this.#changes.slice(this.#head);
        this.#head = 0;
      }
    }
  }

  /** Notes a change that cannot be read. */
  lose(revision: Revision): void {
    this.#lostUpTo = Math.max(this.#lostUpTo, revision);
  }

  /** Removes and returns all changes, in order. */
  take(): readonly ReceivedChange[] {
    const taken = this.#changes.slice(this.#head);
    this.clear();
    return taken;
  }

  clear(): void {
    this.#changes = [];
    this.#head = 0;
    this.#bytes = 0;
    this.#lostUpTo = 0;
  }
}

function countBytes(change: ReceivedChange): number {
  return change.stored.length + (change.previous?.length ?? 0);
}
