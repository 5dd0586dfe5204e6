/** A counted chunk. */
export interface HeldChunk {
  readonly bytes: number;
  /** Lets the bytes go; called when others need the room. */
  release(): void;
}

/** The bytes of a chunk beside its frames. */
const overheadBytes = 512;

/** Bounds the memory of encoded initial states: the chunks that were made first are let go first. */
export class ChunkBudget {
  readonly #limit: number;
  /** In the order in which they were made. */
  readonly #held = new Set<HeldChunk>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a chunk, and lets the oldest ones go while there are too many bytes. */
  hold(chunk: HeldChunk): void {
    this.#held.add(chunk);
    this.#bytes += chunk.bytes + overheadBytes;
    for (const oldest of this.#held) {
      if (this.#bytes <= this.#limit) return;
      this.drop(oldest);
      oldest.release();
    }
  }

  /** Counts a chunk no longer. */
  drop(chunk: HeldChunk): void {
    if (this.#held.delete(chunk)) this.#bytes -= chunk.bytes + overheadBytes;
  }
}
