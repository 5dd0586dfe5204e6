import type { Vocabulary } from '@binnacle/api-names';
import type { Revision, StorageRecord } from '@binnacle/storage-contract';
import type { StoreForm } from '../store-form/store-form.ts';

/**
 * The file of a backup.
 *
 * A line of JSON, the header, which names the format and its version. Then blocks: the length of the block in 4 bytes, big-endian,
 * and records compressed with zstd; a length of 0 ends them. Then the number of records in 8 bytes and the SHA-256 of all
 * bytes before it in 32, with which the file ends. A record is the length of its key in 2 bytes, the key, its revision in 8, the
 * length of its value in 4, and the value. Reserved keys come first; both sorts are in the order of their bytes.
 */
export interface BackupHeader {
  /** The API names of keys and objects. */
  readonly apiNames: Vocabulary;
  /** The form of the store. */
  readonly form: StoreForm;
  /** The kind of the store that was backed up; it may be restored into the other one. */
  readonly store: 'etcd' | 'embedded';
  /** The revision as of which the store was read. */
  readonly revision: Revision;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  /** The version of the program that wrote the file. */
  readonly release: string;
}

/** A backup that was written or read to its end. */
export interface BackupSummary {
  readonly header: BackupHeader;
  readonly records: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

export const formatName = 'binnacle-backup';
export const formatVersion = 1;

export const lengthBytes = 4;
export const countBytes = 8;
export const sumBytes = 32;

/** Most bytes of the header; of a compressed block, and of one block of records. */
export const maxHeaderBytes = 4096;
export const maxBlockBytes = 64 * 1024 ** 2;

const keyLengthBytes = 2;
const revisionBytes = 8;

/** Encodes a record of a block. */
export function encodeRecord({ key, revision, value }: StorageRecord): Buffer {
  const keyBytes = Buffer.from(key, 'utf8');
  const head = Buffer.allocUnsafe(keyLengthBytes + keyBytes.length + revisionBytes + lengthBytes);
  head.writeUInt16BE(keyBytes.length, 0);
  head.set(keyBytes, keyLengthBytes);
  head.writeBigUInt64BE(BigInt(revision), keyLengthBytes + keyBytes.length);
  head.writeUInt32BE(value.length, head.length - lengthBytes);
  return Buffer.concat([head, value]);
}

/** A record as the file has it. */
interface EncodedRecord {
  readonly key: string;
  readonly revision: number;
  readonly value: Uint8Array;
}

/** Decodes the records of a block; throws a RangeError where it ends within one. */
export function* decodeRecords(block: Buffer): Iterable<EncodedRecord> {
  for (let at = 0; at < block.length; ) {
    const keyAt = at + keyLengthBytes;
    const revisionAt = keyAt + block.readUInt16BE(at);
    const valueAt = revisionAt + revisionBytes + lengthBytes;
    const revision = Number(block.readBigUInt64BE(revisionAt));
    const end = valueAt + block.readUInt32BE(valueAt - lengthBytes);
    if (end > block.length) throw new RangeError('a record is truncated');
    yield {
      key: block.toString('utf8', keyAt, revisionAt),
      revision,
      value: new Uint8Array(block.subarray(valueAt, end)),
    };
    at = end;
  }
}
