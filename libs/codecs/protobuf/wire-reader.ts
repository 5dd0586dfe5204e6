import { isUtf8 } from 'node:buffer';
import { numberFromInteger, objectValueLimit } from '@binnacle/api-objects';
import { tooManyValues } from '@binnacle/status-errors';
import { bodyValueLimit } from '../json/value-limits.ts';
import { MalformedBytes } from './malformed-bytes.ts';

/** Protobuf wire types. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const largestField = 536_870_911;

/** Reads protobuf bytes front to back; throws MalformedBytes for invalid bytes. */
export class WireReader {
  readonly #bytes: Buffer;
  #values = 0;
  #mapEntries = 0;
  /** Offset of the next byte. */
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of bytes. */
  get end(): number {
    return this.#bytes.length;
  }

  /** Counts values before they are created; throws RequestEntityTooLarge at the first value beyond `bodyValueLimit`. */
  countValues(count: number): void {
    this.#values += count;
    if (this.#values > bodyValueLimit) throw tooManyValues('the body', bodyValueLimit);
  }

  /**
   * Counts a map entry in addition to its value. Managed fields contain no maps on the wire, so the number of entries is bounded
   * by `objectValueLimit`: a map with too many keys is refused before it is built.
   */
  countMapEntry(): void {
    if (++this.#mapEntries > objectValueLimit) throw tooManyValues('the object', objectValueLimit);
  }

  /** Reads an unsigned integer below 2^53, such as a tag or a length. */
  varint(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let factor = 0x80;
    for (let i = 1; i < 8; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) throw new MalformedBytes('an integer is too large');
        return value;
      }
      factor *= 0x80;
    }
    throw new MalformedBytes('an integer is too large');
  }

  /** Reads a signed 64-bit integer that must fit into 53 bits. */
  integer(): number {
    const value = this.int64();
    if (typeof value !== 'number') throw new MalformedBytes('an integer is too large');
    return value;
  }

  /** Reads a signed 64-bit integer. */
  int64(): number | bigint {
    const start = this.position;
    if ((this.#bytes[start] ?? 0) < 0x80) return this.varint();
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return numberFromInteger(BigInt.asIntN(64, value));
    }
    throw new MalformedBytes('an integer has too many bytes');
  }

  /** Reads a double of eight bytes. */
  double(): number {
    const at = this.#take(8);
    return this.#bytes.readDoubleLE(at);
  }

  /** Reads a length and that many bytes, as a view. */
  bytes(): Buffer {
    const size = this.varint();
    const at = this.#take(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** Reads a length and a text of that many bytes. */
  text(): string {
    const size = this.varint();
    const at = this.#take(size);
    const text = this.#bytes.toString('utf8', at, at + size);
    // A replacement character indicates invalid UTF-8, unless the client sent one.
    if (text.includes('\ufffd') && !isUtf8(this.#bytes.subarray(at, at + size)))
      throw new MalformedBytes('a text is not valid UTF-8');
    return text;
  }

  /** Reads the length of a nested message; returns the offset of its end. */
  nested(): number {
    const size = this.varint();
    if (size > this.end - this.position) throw new MalformedBytes('a message is truncated');
    return this.position + size;
  }

  /** Reads a tag: field number times eight plus wire type. */
  tag(): number {
    const tag = this.varint();
    const field = Math.floor(tag / 8);
    if (field < 1 || field > largestField) throw new MalformedBytes('a field number is out of range');
    return tag;
  }

  /** Skips a value of the wire type. */
  skip(type: number): void {
    switch (type) {
      case wireType.varint:
        for (let i = 0; i < 10; i++) if (this.#byte() < 0x80) return;
        throw new MalformedBytes('an integer has too many bytes');
      case wireType.fixed64:
        this.#take(8);
        return;
      case wireType.bytes:
        this.#take(this.varint());
        return;
      case wireType.fixed32:
        this.#take(4);
        return;
      default:
        throw new MalformedBytes(`wire type ${type} is not supported`);
    }
  }

  #byte(): number {
    if (this.position >= this.#bytes.length) throw new MalformedBytes('the bytes are truncated');
    return this.#bytes[this.position++]!;
  }

  #take(size: number): number {
    const at = this.position;
    if (size > this.#bytes.length - at) throw new MalformedBytes('the bytes are truncated');
    this.position = at + size;
    return at;
  }
}
