/** The fields of a protobuf message by their numbers: bytes of those that have a length, values of the others. */
type ProtobufFields = ReadonlyMap<number, readonly (Buffer | number)[]>;

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** Writes fields with a length: text, bytes, or messages of their own. */
export function protobufMessage(fields: readonly [number: number, value: string | Buffer][]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      const bytes = Buffer.from(value);
      return [varint((number << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

/** Wraps an object in the envelope of spec 1, "Protobuf envelope". */
export function protobufEnvelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  const typeMeta = protobufMessage([
    [1, apiVersion],
    [2, kind],
  ]);
  const unknown = protobufMessage([
    [1, typeMeta],
    [2, raw],
  ]);
  return Buffer.concat([magic, unknown]);
}

/** Reads the fields of a message. Throws where it is cut off. */
export function parseProtobuf(bytes: Buffer): ProtobufFields {
  const fields = new Map<number, (Buffer | number)[]>();
  let offset = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(offset++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    const taken = bytes.subarray(offset, offset + length);
    if (taken.length < length) throw new Error('the message is cut off');
    offset += length;
    return taken;
  };
  while (offset < bytes.length) {
    const key = number();
    const value = readValue(key & 7, { number, take });
    fields.set(key >>> 3, [...(fields.get(key >>> 3) ?? []), value]);
  }
  return fields;
}

/** The one field of that number that has a length; undefined where there is none. */
export function bytesField(fields: ProtobufFields, number: number): Buffer | undefined {
  const value = fields.get(number)?.[0];
  return Buffer.isBuffer(value) ? value : undefined;
}

/** Whether bytes begin with the prefix of the envelope. */
export function hasMagic(bytes: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}

function readValue(
  wireType: number,
  read: { number(): number; take(length: number): Buffer },
): Buffer | number {
  if (wireType === 0) return read.number();
  if (wireType === 1) return read.take(8);
  if (wireType === 2) return read.take(read.number());
  if (wireType === 5) return read.take(4);
  throw new Error(`wire type ${wireType}`);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}
