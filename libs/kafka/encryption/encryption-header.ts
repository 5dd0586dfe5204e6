/**
 * The header `binnacle-seal` of a record, 49 bytes: version 1, key id (8), salt of the writer's session (16), sequence
 * number of the record in its partition and session (8, big endian), AES-256-GCM tag (16).
 */
export interface EncryptionHeader {
  readonly keyId: string;
  readonly salt: Buffer;
  /** Identifies the session: key id and salt. */
  readonly session: string;
  readonly sequence: number;
  readonly tag: Buffer;
}

/** Length of a salt in bytes. */
export const saltBytes = 16;

const version = 1;
const keyIdAt = 1;
const saltAt = 9;
const sequenceAt = saltAt + saltBytes;
const tagAt = sequenceAt + 8;
const headerBytes = tagAt + 16;
const highFactor = 2 ** 32;

/** Encodes an encryption header. */
export function writeEncryptionHeader(
  keyId: Buffer,
  salt: Buffer,
  { sequence, tag }: Pick<EncryptionHeader, 'sequence' | 'tag'>,
): Buffer {
  const header = Buffer.allocUnsafe(headerBytes);
  header[0] = version;
  keyId.copy(header, keyIdAt);
  salt.copy(header, saltAt);
  writeSequence(header, sequenceAt, sequence);
  tag.copy(header, tagAt);
  return header;
}

/** Decodes an encryption header; undefined for any other value, since records may come from untrusted writers. */
export function readEncryptionHeader(header: unknown): EncryptionHeader | undefined {
  if (!Buffer.isBuffer(header) || header.length !== headerBytes || header[0] !== version) return undefined;
  const sequence = header.readUInt32BE(sequenceAt) * highFactor + header.readUInt32BE(sequenceAt + 4);
  if (!Number.isSafeInteger(sequence)) return undefined;
  return {
    keyId: header.toString('hex', keyIdAt, saltAt),
    salt: header.subarray(saltAt, sequenceAt),
    session: header.toString('latin1', keyIdAt, sequenceAt),
    sequence,
    tag: header.subarray(tagAt),
  };
}

/** Creates the nonce of a record from its partition and sequence number; no session uses one twice. */
export function createNonce(partition: number, sequence: number): Buffer {
  const nonce = Buffer.allocUnsafe(12);
  nonce.writeUInt32BE(partition, 0);
  writeSequence(nonce, 4, sequence);
  return nonce;
}

/** Returns the additional authenticated data of a record: topic, partition and key. */
export function associatedData(topic: string, partition: number, key: string | Buffer | null): Buffer {
  const isKeyed = key === null ? 0 : 1;
  const place = Buffer.from(`binnacle-feed\0${topic}\0${partition}\0${isKeyed}`);
  return key === null ? place : Buffer.concat([place, Buffer.from(key)]);
}

function writeSequence(target: Buffer, at: number, sequence: number): void {
  target.writeUInt32BE(Math.floor(sequence / highFactor), at);
  target.writeUInt32BE(sequence % highFactor, at + 4);
}
