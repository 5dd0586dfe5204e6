import protobuf from 'protobufjs/minimal.js';

/** Reads the protobuf wire format. */
export type Reader = protobuf.Reader;

/** Writes the protobuf wire format. */
export type Writer = protobuf.Writer;

/** The value of a `bytes` field that is not on the wire. */
export const noBytes: Uint8Array = Buffer.alloc(0);

/** A writer with nothing in it. */
export function newWriter(): Writer {
  return protobuf.Writer.create();
}

/** A reader of bytes whose `bytes` fields are views of them. */
export function readerOf(bytes: Uint8Array): Reader {
  return protobuf.Reader.create(
    Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  );
}

/** Reads the length of an embedded message and returns the position of its end; throws when that lies outside. */
export function messageEnd(reader: Reader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError(`a message of ${length} bytes ends after its container`);
  return end;
}

/** Throws when the last field of a message went past the message's end. */
export function assertEnd(reader: Reader, end: number): void {
  if (reader.pos !== end) throw new RangeError('a field ends after its message');
}

/** The name of an enum's number; a number that this version does not know throws, for guessing would lose its meaning. */
export function enumValue<T extends string>(values: readonly T[], number: number, type: string): T {
  const value = values[number];
  if (value === undefined) throw new RangeError(`${number} is not a known value of ${type}`);
  return value;
}

/** Reads one entry of a map field into `map`; any key is safe, `__proto__` too. */
export function readEntry<T>(
  reader: Reader,
  map: { [key: string]: T },
  value: { readonly tag: number; read(): T; missing(): T },
): void {
  const end = messageEnd(reader);
  let key = '';
  let entry: T | undefined;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) key = reader.string();
    else if (tag === value.tag) entry = value.read();
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  assertEnd(reader, end);
  Object.defineProperty(map, key, {
    value: entry ?? value.missing(),
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
