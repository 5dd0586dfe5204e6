const firstCapacity = 4096;
/** Up to this length a loop over characters is cheaper than a native call. */
const shortText = 48;

/**
 * Writes protobuf back to front, so that the length of a nested message is known when it is written. Callers write fields in
 * descending order, a value before its length and tag.
 */
export class WireWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(firstCapacity);
  #start = firstCapacity;

  /** Number of bytes written. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** Returns a copy of the written bytes and resets the writer. */
  finish(): Buffer {
    const written = Buffer.allocUnsafe(this.length);
    this.#bytes.copy(written, 0, this.#start);
    this.reset();
    return written;
  }

  /** Copies the written bytes into a buffer and resets the writer. */
  finishInto(target: Buffer, offset: number): void {
    this.#bytes.copy(target, offset, this.#start);
    this.reset();
  }

  /** Discards the written bytes. */
  reset(): void {
    this.#start = this.#bytes.length;
  }

  /** Writes an unsigned integer below 2^53. */
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

  /** Writes a signed 64-bit integer; negative ones need ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) {
      this.varint(value);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    // A positive bigint has more than 53 bits and needs eight or nine bytes.
    const size = value < 0 ? 10 : rest < 1n << 56n ? 8 : 9;
    let at = this.#reserve(size);
    for (let i = 1; i < size; i++) {
      this.#bytes[at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[at] = Number(rest);
  }

  /** Writes a double of eight bytes. */
  double(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  /** Writes bytes without a length. */
  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Writes a text and its length. */
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

  /** Writes bytes and their length. */
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
