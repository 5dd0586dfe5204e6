import type { CallFrame } from '@binnacle/proto';
import { maxMessageBytes } from './limits.ts';

/** The parts of one payload received so far. */
export class PayloadParts {
  #parts: Uint8Array[] = [];
  #length = 0;

  /** Adds a part; returns the whole payload after the last part, or `'too large'` if it exceeds the limit. */
  add(frame: CallFrame): Uint8Array | 'more' | 'too large' {
    this.#length += frame.payload.length;
    if (this.#length > maxMessageBytes) {
      this.#parts = [];
      return frame.more ? 'more' : 'too large';
    }
    // A part is a view of the received message, which is only slightly larger than the part.
    this.#parts.push(frame.payload);
    if (frame.more) return 'more';
    return this.#parts.length === 1 ? frame.payload : Buffer.concat(this.#parts, this.#length);
  }
}
