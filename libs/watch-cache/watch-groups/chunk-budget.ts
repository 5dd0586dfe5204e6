/** A chunk that counts against the budget. */
export interface HeldChunk {
  readonly bytes: number;
  /** Releases the bytes; called when other chunks need the memory. */
  release(): void;
}

/** Bytes of a chunk besides its frames. */
const overheadBytes = 512;

/** Bounds the memory of encoded initial states: the oldest chunks are released first. */
export class ChunkBudget {
  readonly #limit: number;
  /** In order of creation. */
  readonly #held = new Set<HeldChunk>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a chunk, and releases the oldest chunks while the limit is exceeded. */
  hold(chunk: HeldChunk): void {
    this.#held.add(chunk);
    this.#bytes += chunk.bytes + overheadBytes;
    for (const oldest of this.#held) {
      if (this.#bytes <= this.#limit) return;
      this.drop(oldest);
      oldest.release();
    }
  }

  /** Stops counting a chunk. */
  drop(chunk: HeldChunk): void {
    if (this.#held.delete(chunk)) this.#bytes -= chunk.bytes + overheadBytes;
  }
}
