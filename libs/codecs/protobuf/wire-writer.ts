const firstCapacity = 4096;
/** Up to this length a loop over characters is cheaper than a call into the runtime. */
const shortText = 48;

/**
 * Writes protobuf from its end to its beginning, so that the length of a nested message is known when it is
 * written. Callers write fields in descending order, a value before its length and tag.
 */
export class WireWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(firstCapacity);
  #start = firstCapacity;

  /** Bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** The bytes written so far, copied; the writer begins anew. */
  finish(): Buffer {
    const written = Buffer.allocUnsafe(this.length);
    this.#bytes.copy(written, 0, this.#start);
    this.reset();
    return written;
  }

  /** Copies the bytes written so far into a buffer; the writer begins anew. */
  finishInto(target: Buffer, offset: number): void {
    this.#bytes.copy(target, offset, this.#start);
    this.reset();
  }

  /** Drops what was written. */
  reset(): void {
    this.#start = this.#bytes.length;
  }

  /** An unsigned integer below 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      if (this.#start === 0) this.#grow(1);
      this.#bytes[--this.#start] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    let at = this.#reserve(size);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[at] = rest;
  }

  /** A signed integer of 64 bits; negative ones take ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) {
      this.varint(value);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    // A positive bigint has more than 53 bits: eight bytes or nine.
    const size = value < 0 ? 10 : rest < 1n << 56n ? 8 : 9;
    let at = this.#reserve(size);
    for (let i = 1; i < size; i++) {
      this.#bytes[at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[at] = Number(rest);
  }

  /** A double of eight bytes. */
  double(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  /** Bytes as they are, without a length. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** A text and its length. */
  text(value: string): void {
    const length = value.length;
    if (length > shortText || !this.#shortAscii(value)) {
      const size = Buffer.byteLength(value);
      const at = this.#reserve(size);
      this.#bytes.write(value, at, size, 'utf8');
      this.varint(size);
    } else {
      this.varint(length);
    }
  }

  /** Bytes and their length. */
  bytes(value: Uint8Array): void {
    this.raw(value);
    this.varint(value.length);
  }

  #shortAscii(value: string): boolean {
    const { length } = value;
    const at = this.#reserve(length);
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) {
        this.#start += length;
        return false;
      }
      this.#bytes[at + i] = code;
    }
    return true;
  }

  #reserve(size: number): number {
    if (this.#start < size) this.#grow(size);
    this.#start -= size;
    return this.#start;
  }

  #grow(size: number): void {
    const length = this.length;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, length + size));
    const start = larger.length - length;
    this.#bytes.copy(larger, start, this.#start);
    this.#bytes = larger;
    this.#start = start;
  }
}
