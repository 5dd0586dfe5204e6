import type { CallFrame } from '@binnacle/proto';
import { maxMessageBytes } from './limits.ts';

/** The parts of one payload that have arrived so far. */
export class PayloadParts {
  #parts: Uint8Array[] = [];
  #length = 0;

  /** Adds a part; gives the whole payload when it was the last one, `'too large'` when the whole is over the limit. */
  add(frame: CallFrame): Uint8Array | 'more' | 'too large' {
    this.#length += frame.payload.length;
    if (this.#length > maxMessageBytes) {
      this.#parts = [];
      return frame.more ? 'more' : 'too large';
    }
    // A part is a view of the message that it came in, which is little larger than the part.
    this.#parts.push(frame.payload);
    if (frame.more) return 'more';
    return this.#parts.length === 1 ? frame.payload : Buffer.concat(this.#parts, this.#length);
  }
}
