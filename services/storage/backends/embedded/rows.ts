import type { Change, Revision } from '@binnacle/storage-contract';

/** One key that a revision wrote. */
export interface LoggedWrite {
  readonly key: Buffer;
  readonly deleted: boolean;
  /** The revision of the replaced record, 0 when there was none. */
  readonly previousRevision: Revision;
}

/** One row of the log: all writes of a revision. */
interface LogRow {
  /** Milliseconds since 1970. */
  readonly committedAt: number;
  readonly writes: readonly LoggedWrite[];
}

/** Returns the type of a change from its log entry. */
export function changeType({ deleted, previousRevision }: LoggedWrite): Change['type'] {
  if (deleted) return 'deleted';
  return previousRevision === 0 ? 'created' : 'updated';
}

const headerBytes = 8;
const writeHeaderBytes = 11;

/** Encodes a revision as a key that sorts by number. */
export function revisionKey(revision: Revision): Buffer {
  const bytes = Buffer.allocUnsafe(revisionBytes);
  writeRevision(bytes, revision, 0);
  return bytes;
}

const revisionBytes = 8;

function writeRevision(bytes: Buffer, revision: Revision, at: number): void {
  bytes.writeUInt32BE(Math.floor(revision / 2 ** 32), at);
  bytes.writeUInt32BE(revision % 2 ** 32, at + 4);
}

/** Decodes the revision at the end of a key. */
export function revisionFromKey(bytes: Uint8Array): Revision {
  return revisionAt(bytes, bytes.byteLength - revisionBytes);
}

/** The revision that is written at a position, as `revisionKey` writes it. */
export function revisionAt(bytes: Uint8Array, at: number): Revision {
  let revision = 0;
  for (let i = at; i < at + revisionBytes; i++) revision = revision * 256 + bytes[i]!; // Within bounds.
  return revision;
}

/** Creates the key of a replaced record in the history: keys hold no zero byte, so the records of one key are adjacent. */
export function historyKey(key: Uint8Array, revision: Revision): Buffer {
  const end = key.length + 1;
  const bytes = Buffer.allocUnsafe(end + revisionBytes);
  bytes.set(key, 0);
  bytes[key.length] = 0;
  writeRevision(bytes, revision, end);
  return bytes;
}

/** Returns the key whose record a history key names. */
export function keyOfHistoryKey(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - 9);
}

/** Encodes a row of the log. */
export function encodeLogRow(row: LogRow): Buffer {
  let size = headerBytes;
  for (const write of row.writes) size += writeHeaderBytes + write.key.length;
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeDoubleBE(row.committedAt, 0);
  let at = headerBytes;
  for (const write of row.writes) {
    bytes.writeUInt8(write.deleted ? 1 : 0, at);
    bytes.writeDoubleBE(write.previousRevision, at + 1);
    bytes.writeUInt16BE(write.key.length, at + 9);
    bytes.set(write.key, at + writeHeaderBytes);
    at += writeHeaderBytes + write.key.length;
  }
  return bytes;
}

/** Decodes a row of the log. */
export function decodeLogRow(bytes: Buffer): LogRow {
  const writes: LoggedWrite[] = [];
  let at = headerBytes;
  while (at < bytes.length) {
    const end = at + writeHeaderBytes + bytes.readUInt16BE(at + 9);
    const deleted = bytes.readUInt8(at) === 1;
    writes.push({
      deleted,
      previousRevision: bytes.readDoubleBE(at + 1),
      key: bytes.subarray(at + writeHeaderBytes, end),
    });
    at = end;
  }
  return { committedAt: bytes.readDoubleBE(0), writes };
}
