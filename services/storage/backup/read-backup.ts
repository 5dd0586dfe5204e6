import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import { type Vocabulary, vocabularies } from '@binnacle/api-names';
import { readJson } from '@binnacle/api-objects';
import { Refusal } from '@binnacle/backend-access';
import { decodeStored } from '@binnacle/codecs';
import { errorMessage } from '@binnacle/status-errors';
import { isReservedKey, type StorageRecord, storageKeyFrom } from '@binnacle/storage-contract';
import { isEncrypted } from '../encryption/stored-prefix.ts';
import { assertUsable, formFrom, formWithoutRecord, type StoreForm } from '../store-form/store-form.ts';
import {
  type BackupHeader,
  type BackupSummary,
  countBytes,
  decodeRecords,
  formatName,
  formatVersion,
  lengthBytes,
  maxBlockBytes,
  maxHeaderBytes,
  sumBytes,
} from './backup-file.ts';

/** Receives the records of a block. */
type RecordsReceiver = (records: readonly StorageRecord[]) => Promise<void> | void;

/**
 * Reads a backup to its end and checks all of it: form, order, number and checksum, and that every record is one of a store. Throws a
 * Refusal that names the file and the fault. A receiver gets records before the rest of the file is checked.
 */
export async function readBackup(
  path: string,
  receive: RecordsReceiver = () => {},
  signal?: AbortSignal,
): Promise<BackupSummary> {
  const refuse: Refuse = (reason, cause) => {
    throw new Refusal(`${path} ${reason}`, { cause });
  };
  const handle = await open(path, 'r').catch(thrown => refuse(`cannot be read: ${errorMessage(thrown)}`));
  await using file = handle;
  if (!(await file.stat()).isFile()) refuse('is not a file');
  const bytes = new CheckedBytes(file, refuse);
  const header = parseHeader(await bytes.takeLine(maxHeaderBytes), refuse);
  const order = new RecordOrder(header, refuse);
  for (;;) {
    signal?.throwIfAborted();
    const length = (await bytes.take(lengthBytes)).readUInt32BE();
    if (length === 0) break;
    if (length > maxBlockBytes) refuse('is corrupt: a block is too long');
    await receive(decodeBlock(await bytes.take(length), order, refuse));
  }
  const count = (await bytes.take(countBytes)).readBigUInt64BE();
  if (count !== BigInt(order.count)) refuse(`is corrupt: it has ${order.count} of ${count} records`);
  const sha256 = await bytes.takeSum();
  return { header, records: order.count, bytes: bytes.taken, sha256 };
}

type Refuse = (reason: string, cause?: unknown) => never;

/** The bytes of a file in their order, each counted into the checksum. */
class CheckedBytes {
  readonly #file: FileHandle;
  readonly #refuse: Refuse;
  readonly #hash = createHash('sha256');
  taken = 0;

  constructor(file: FileHandle, refuse: Refuse) {
    this.#file = file;
    this.#refuse = refuse;
  }

  async take(length: number): Promise<Buffer> {
    const bytes = await this.#read(length);
    if (bytes.length < length) this.#refuse('is truncated');
    this.#hash.update(bytes);
    return bytes;
  }

  /** Takes the bytes up to the end of the line. */
  async takeLine(most: number): Promise<string> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(most), 0, most, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    if (end < 0) this.#refuse('is not a backup');
    return (await this.take(end + 1)).toString();
  }

  /** Takes the checksum, with which the file ends; refuses another one than that of the bytes taken. */
  async takeSum(): Promise<string> {
    const found = await this.#read(sumBytes);
    if (found.length < sumBytes) this.#refuse('is truncated');
    const sum = this.#hash.digest();
    if (!sum.equals(found)) this.#refuse('is corrupt: its checksum does not match');
    if ((await this.#read(1)).length > 0) this.#refuse('is corrupt: it has data after its end');
    return sum.toString('hex');
  }

  async #read(length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#file.read(buffer, filled, length - filled, this.taken);
      if (bytesRead === 0) break;
      filled += bytesRead;
      this.taken += bytesRead;
    }
    return buffer.subarray(0, filled);
  }
}

function parseHeader(line: string, refuse: Refuse): BackupHeader {
  const { format, version, apiNames, form, store, revision, time, release } = parseLine(line);
  if (format !== formatName) refuse('is not a backup');
  if (version !== formatVersion)
    refuse(`has version ${version} of the format of backups: this release reads version ${formatVersion}`);
  const names: Vocabulary | undefined = vocabularies.find(name => name === apiNames);
  const kind = (['etcd', 'embedded'] as const).find(name => name === store);
  const takenAt = Date.parse(String(time));
  if (names === undefined || kind === undefined || !Number.isSafeInteger(revision) || Number.isNaN(takenAt))
    return refuse('is corrupt: its header cannot be read');
  return {
    apiNames: names,
    form: parseForm(form, refuse),
    store: kind,
    revision: Number(revision),
    takenAt,
    release: String(release),
  };
}

/** Parses the form of a backed-up store; releases that named none had form 1. */
function parseForm(form: unknown, refuse: Refuse): StoreForm {
  if (form === undefined) return formWithoutRecord;
  try {
    const parsed = formFrom(Object(form));
    assertUsable('its store', parsed);
    return parsed;
  } catch (thrown) {
    return refuse(`cannot be used: ${errorMessage(thrown)}`, thrown);
  }
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(readJson(line, false));
  } catch {
    return {};
  }
}

function decodeBlock(compressed: Buffer, order: RecordOrder, refuse: Refuse): readonly StorageRecord[] {
  try {
    const block = zstdDecompressSync(compressed, { maxOutputLength: maxBlockBytes });
    const records = [...decodeRecords(block)].map(({ key, revision, value }) => ({
      key: storageKeyFrom(key),
      revision,
      value,
    }));
    for (const record of records) order.add(record);
    return records;
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    return refuse(`is corrupt: a block cannot be read: ${errorMessage(thrown)}`, thrown);
  }
}

/** Checks each record, and that the records are in order. */
class RecordOrder {
  readonly #header: BackupHeader;
  readonly #refuse: Refuse;
  #last: { readonly isReserved: boolean; readonly bytes: Buffer } | undefined;
  count = 0;

  constructor(header: BackupHeader, refuse: Refuse) {
    this.#header = header;
    this.#refuse = refuse;
  }

  add({ key, revision, value }: StorageRecord): void {
    const next = { isReserved: isReservedKey(key), bytes: Buffer.from(key) };
    const last = this.#last;
    const isInOrder =
      last === undefined ||
      (last.isReserved === next.isReserved ? Buffer.compare(last.bytes, next.bytes) < 0 : last.isReserved);
    if (!isInOrder) this.#refuse(`is corrupt: ${key} is out of order`);
    if (!Number.isSafeInteger(revision) || revision < 1 || revision > this.#header.revision)
      this.#refuse(`is corrupt: ${key} has the revision ${revision}`);
    // The keys of encrypted values are not here.
    if (!next.isReserved && !isEncrypted(value)) this.#assertObject(key, value, revision);
    this.#last = next;
    this.count++;
  }

  #assertObject(key: string, value: Uint8Array, revision: number): void {
    try {
      decodeStored(Buffer.from(value.buffer, value.byteOffset, value.byteLength), revision);
    } catch (thrown) {
      this.#refuse(`holds an object that cannot be read, ${key}: ${errorMessage(thrown)}`, thrown);
    }
  }
}
