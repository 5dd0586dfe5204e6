import { createHash } from 'node:crypto';
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { Refusal } from '@binnacle/backend-access';
import { errorMessage } from '@binnacle/status-errors';
import type { StorageRecord } from '@binnacle/storage-contract';
import {
  type BackupHeader,
  type BackupSummary,
  countBytes,
  encodeRecord,
  formatName,
  formatVersion,
  lengthBytes,
} from './backup-file.ts';

/** The content of a backup. */
interface BackupContent {
  readonly header: BackupHeader;
  /** The records, reserved keys first, in the order of their bytes. */
  readonly records: AsyncIterable<readonly StorageRecord[]>;
}

/**
 * Writes a backup to a file that must not exist: under a temporary name first, for its owner alone, and renamed once it is on the disk.
 */
export async function writeBackupFile(path: string, content: BackupContent): Promise<BackupSummary> {
  const isTaken = await access(path).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new Refusal(`${path} exists already: name a new file`);
  const partial = `${path}${partialMark}${process.pid}`;
  try {
    const summary = await writePartial(partial, content);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return summary;
  } catch (thrown) {
    await rm(partial, { force: true });
    throw thrown;
  }
}

/** The mark in the name of a file that is not finished. */
export const partialMark = '.partial-';

async function writePartial(partial: string, content: BackupContent): Promise<BackupSummary> {
  const opened = await open(partial, 'wx', 0o600).catch((thrown: unknown) => {
    throw new Refusal(`the file cannot be created: ${errorMessage(thrown)}`, { cause: thrown });
  });
  await using file = opened;
  const summary = await writeBackup(content, async bytes => {
    await file.writeFile(bytes);
  });
  await file.sync();
  return summary;
}

/** Makes the new name of a file durable. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Writes a backup to a stream, which stays open. */
export function writeBackupStream(stream: Writable, content: BackupContent): Promise<BackupSummary> {
  return writeBackup(
    content,
    bytes =>
      new Promise((resolve, reject) => {
        stream.write(bytes, error => (error ? reject(error) : resolve()));
      }),
  );
}

/** Bytes of records at which a block is full. */
const fullBlockBytes = 1_000_000;

async function writeBackup(
  { header, records }: BackupContent,
  write: (bytes: Buffer) => Promise<void>,
): Promise<BackupSummary> {
  const hash = createHash('sha256');
  let bytes = 0;
  const append = async (part: Buffer): Promise<void> => {
    hash.update(part);
    bytes += part.length;
    await write(part);
  };
  await append(encodeHeader(header));
  let count = 0;
  let block: Buffer[] = [];
  let blockBytes = 0;
  for await (const page of records) {
    for (const record of page) {
      const encoded = encodeRecord(record);
      block.push(encoded);
      blockBytes += encoded.length;
      count++;
      if (blockBytes < fullBlockBytes) continue;
      await append(encodeBlock(block));
      block = [];
      blockBytes = 0;
    }
  }
  if (block.length > 0) await append(encodeBlock(block));
  const end = Buffer.alloc(lengthBytes + countBytes);
  end.writeBigUInt64BE(BigInt(count), lengthBytes);
  await append(end);
  const sum = hash.digest();
  await write(sum);
  return { header, records: count, bytes: bytes + sum.length, sha256: sum.toString('hex') };
}

function encodeHeader({ apiNames, form, store, revision, takenAt, release }: BackupHeader): Buffer {
  const time = new Date(takenAt).toISOString();
  // A restore finds the encrypted types in the values; a header has little room.
  const { encryptedTypes: _types, valuePrefixes: _prefixes, ...kept } = form;
  const described = { apiNames, form: kept, store, revision, time, release };
  const said = { format: formatName, version: formatVersion, ...described };
  return Buffer.from(`${JSON.stringify(said)}\n`);
}

function encodeBlock(records: readonly Buffer[]): Buffer {
  const compressed = zstdCompressSync(Buffer.concat(records));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(compressed.length);
  return Buffer.concat([length, compressed]);
}
