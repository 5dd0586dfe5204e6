/** One element of a DER encoding: its tag, its content, and the bytes after it. */
interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly whole: Buffer;
  readonly rest: Buffer;
}

/** Tags of DER elements. */
export const derTag = { integer: 0x02, bitString: 0x03, sequence: 0x30, attributes: 0xa0 } as const;

/** Reads the first element of some bytes; undefined if they do not start with a complete one. */
function readDer(bytes: Buffer): DerElement | undefined {
  const first = bytes[1];
  if (first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  // A certificate request has at most four length bytes; 0x80 is the indefinite form, which DER does not allow.
  if (first === 0x80 || lengthBytes > 4 || bytes.length < 2 + lengthBytes) return undefined;
  const start = 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  const end = start + length;
  if (end > bytes.length) return undefined;
  return {
    tag: bytes[0]!, // There are at least two bytes.
    content: bytes.subarray(start, end),
    whole: bytes.subarray(0, end),
    rest: bytes.subarray(end),
  };
}

/** Splits bytes into elements; undefined if the last one is incomplete or there are more than `limit`. */
export function readAllDer(bytes: Buffer, limit: number): DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const element = readDer(rest);
    if (!element || elements.length === limit) return undefined;
    elements.push(element);
    rest = element.rest;
  }
  return elements;
}
