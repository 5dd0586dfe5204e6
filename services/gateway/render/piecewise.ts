import { type SliceQueue, sharedSlices } from '@binnacle/event-loop';

/** A body that is made piece by piece, each in bounded time. */
interface Pieces {
  /** The pieces in order, as they are asked for. */
  readonly texts: Iterator<string>;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/**
 * Puts the pieces of a body together into chunks. Yields between pieces whenever a slice is over, so that a body of any
 * length does not hold the event loop. Chunks lie in `buffer`, except for pieces that are larger, and hold until the next
 * one is asked for.
 */
export class PieceWriter {
  readonly #pieces: Pieces;
  readonly #buffer: Buffer;
  readonly #slices: SliceQueue;
  /** A piece that did not fit into the last chunk. */
  #held: string | undefined;
  #isDone = false;

  constructor(pieces: Pieces, buffer: Buffer, slices: SliceQueue = sharedSlices) {
    this.#pieces = pieces;
    this.#buffer = buffer;
    this.#slices = slices;
  }

  /** Whether the last chunk was the last of all. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Makes the next chunk. Rejects when the work is aborted, and when a piece cannot be made. */
  async next(): Promise<Buffer> {
    let filled = 0;
    for (;;) {
      if (this.#slices.isOver()) await this.#slices.yield(this.#pieces.signal);
      const piece = this.#nextPiece();
      if (piece === undefined) {
        this.#isDone = true;
        return this.#buffer.subarray(0, filled);
      }
      const room = this.#buffer.length - filled;
      // A unit of text takes three bytes at most.
      if (piece.length * 3 > room && Buffer.byteLength(piece) > room) {
        if (filled === 0) return Buffer.from(piece);
        this.#held = piece;
        return this.#buffer.subarray(0, filled);
      }
      filled += this.#buffer.write(piece, filled);
    }
  }

  #nextPiece(): string | undefined {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) return held;
    const { done, value } = this.#pieces.texts.next();
    return done === true ? undefined : value;
  }
}
