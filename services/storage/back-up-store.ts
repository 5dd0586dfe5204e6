import type { Writable } from 'node:stream';
import { Refusal } from '@binnacle/backend-access';
import { versionInfo } from '@binnacle/build-info';
import { parseFlags } from '@binnacle/flags';
import { deadlineIn } from '@binnacle/proto';
import {
  apiNamesKey,
  isStorageError,
  listPages,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
  storeFormKey,
} from '@binnacle/storage-contract';
import { type ApiNamesRecord, assertRestored, decodeApiNames } from './api-names/api-names-record.ts';
import { openEmbeddedSnapshot } from './backends/embedded/snapshot.ts';
import { connectEtcd } from './backends/etcd/connection.ts';
import type { EtcdOptions } from './backends/etcd/etcd-options.ts';
import { createEtcdStorage } from './backends/etcd/etcd-storage.ts';
import { backedUpPrefixes } from './backup/backed-up-keys.ts';
import type { BackupHeader, BackupSummary } from './backup/backup-file.ts';
import { findBackupName, pruneBackups } from './backup/backup-folder.ts';
import { writeBackupFile, writeBackupStream } from './backup/write-backup.ts';
import { backendFrom, storeFlags } from './config.ts';
import { formWithoutRecord, usableForm } from './store-form/store-form.ts';

/** Where a backup goes: a new file, a stream, or a new file of a folder in which the last ones are kept. */
type BackupTarget =
  | { readonly file: string }
  | { readonly stream: Writable }
  | { readonly folder: string; readonly keep: number | undefined };

/** Options of a backup. */
interface BackupOptions {
  /** The given flags among `storeFlags`, as on a command line. */
  readonly args: readonly string[];
  /** Environment variables, which provide the flags that are not given, as for storage. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly target: BackupTarget;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** A backup that was made. */
export interface MadeBackup extends BackupSummary {
  /** The file; undefined: the stream. */
  readonly file: string | undefined;
  /** Earlier backups that were removed from the folder. */
  readonly removed: readonly string[];
}

/**
 * Backs up the store that flags name, as of one revision, while it serves. Throws a FlagError for invalid flags, and a Refusal where
 * there is no whole store.
 */
export async function backUpStore(options: BackupOptions): Promise<MadeBackup> {
  const backend = await backendFrom(parseFlags(storeFlags, options.args, options.env));
  return backend.kind === 'etcd'
    ? await backUpEtcd(options, backend.etcd)
    : await backUpEmbedded(options, backend.directory);
}

/** A store as of one revision. */
interface Snapshot {
  readonly store: BackupHeader['store'];
  readonly revision: Revision;
  /** Reads the records below a prefix, in key order. */
  read(prefix: StorageKey): AsyncIterable<readonly StorageRecord[]>;
}

async function backUpEmbedded(options: BackupOptions, directory: string): Promise<MadeBackup> {
  await using snapshot = await openEmbeddedSnapshot(directory);
  const { revision } = snapshot;
  return await writeSnapshot(options, { store: 'embedded', revision, read: prefix => snapshot.read(prefix) });
}

/** Milliseconds that a page may take. */
const callMs = 30_000;

async function backUpEtcd(options: BackupOptions, etcd: EtcdOptions): Promise<MadeBackup> {
  using connection = connectEtcd(etcd);
  const storage = createEtcdStorage(connection, etcd.batchLimits);
  const nextCall = () => ({ signal: options.signal, deadline: deadlineIn(callMs) });
  const revision = await storage.typeRevision(undefined, nextCall());
  const read = (prefix: StorageKey) => pageRecords(storage, { prefix, atRevision: revision }, nextCall);
  try {
    return await writeSnapshot(options, { store: 'etcd', revision, read });
  } catch (thrown) {
    if (!isStorageError(thrown, 'compacted')) throw thrown;
    throw new Refusal(
      'the store forgot the revision of the backup while it was read: set --history-window of storage to more than a backup takes',
      { cause: thrown },
    );
  }
}

async function* pageRecords(
  storage: Storage,
  query: Parameters<Storage['list']>[0],
  nextCall: () => Parameters<Storage['list']>[1],
): AsyncIterable<readonly StorageRecord[]> {
  for await (const { records } of listPages(storage, query, { nextCall })) yield records;
}

async function writeSnapshot(options: BackupOptions, snapshot: Snapshot): Promise<MadeBackup> {
  const form = await first(snapshot.read(storeFormKey));
  const { apiNames } = await readNames(snapshot);
  const { store, revision } = snapshot;
  const header: BackupHeader = {
    apiNames,
    form: form?.key === storeFormKey ? usableForm(form.value) : formWithoutRecord,
    store,
    revision,
    takenAt: options.now(),
    release: versionInfo().gitVersion,
  };
  const content = { header, records: backedUpRecords(snapshot, options.signal) };
  const { target } = options;
  if ('stream' in target)
    return { ...(await writeBackupStream(target.stream, content)), file: undefined, removed: [] };
  if ('file' in target)
    return { ...(await writeBackupFile(target.file, content)), file: target.file, removed: [] };
  const { folder, keep } = target;
  const file = await findBackupName(folder, header);
  const summary = await writeBackupFile(file, content);
  return { ...summary, file, removed: keep === undefined ? [] : await pruneBackups(folder, keep) };
}

/** Reads the names record; a store that has objects and no record is of an earlier release. */
async function readNames({ read }: Snapshot): Promise<ApiNamesRecord> {
  const found = await first(read(apiNamesKey));
  if (found?.key === apiNamesKey) {
    const record = decodeApiNames(found.value);
    assertRestored(record);
    if (record.convertingTo !== undefined)
      throw new Refusal(`the conversion of the store to --api-names=${record.convertingTo} is not finished`);
    return record;
  }
  if ((await first(read(everyObject))) === undefined) throw new Refusal('the store is empty');
  return { apiNames: 'cluster' };
}

const everyObject = storageKeyFrom('/');

async function first(pages: AsyncIterable<readonly StorageRecord[]>): Promise<StorageRecord | undefined> {
  for await (const [record] of pages) return record;
  return undefined;
}

async function* backedUpRecords(
  { read }: Snapshot,
  signal: AbortSignal,
): AsyncIterable<readonly StorageRecord[]> {
  for (const prefix of backedUpPrefixes)
    for await (const page of read(prefix)) {
      signal.throwIfAborted();
      yield page;
    }
}
