/** Something that holds frames back until the end of the turn. */
export interface Flushable {
  flush(): void;
}

/**
 * Flushes once a turn of the event loop: what arrives within one turn, from several messages of the feed too, is
 * written together.
 */
export class FlushTurn {
  #waiting: Flushable[] = [];

  /** Has something flushed at the end of this turn; called once for each until then. */
  schedule(flushable: Flushable): void {
    this.#waiting.push(flushable);
    if (this.#waiting.length === 1) setImmediate(() => this.#run());
  }

  #run(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const flushable of waiting) flushable.flush();
  }
}
