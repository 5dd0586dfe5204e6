import { Refusal } from '@binnacle/backend-access';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import {
  apiNamesKey,
  isReservedKey,
  isStorageError,
  maxTransactionBytes,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storeFormKey,
  type Transaction,
  type TransactionOutcome,
  typePrefixFromKey,
} from '@binnacle/storage-contract';
import { encodeApiNames, readApiNames } from '../api-names/api-names-record.ts';
import { isEncrypted } from '../encryption/stored-prefix.ts';
import { encodeStoreForm, type StoreForm } from '../store-form/store-form.ts';
import { backedUpPrefixes } from './backed-up-keys.ts';
import type { BackupHeader, BackupSummary } from './backup-file.ts';
import { readBackup } from './read-backup.ts';

/** A store into which a backup can be restored. */
export interface RestorableStore {
  /** The store; after `beginAfter` one whose revisions are behind the floor. */
  readonly storage: Storage;
  /**
   * Commits the first transaction of a restore; its revision and all later ones are greater than `floor`, and history begins there.
   * Where it does not commit, nothing has changed that a store in use shows.
   */
  beginAfter(floor: Revision, transaction: Transaction, call: CallContext): Promise<TransactionOutcome>;
}

/** Options of a restore. */
interface RestoreOptions {
  readonly file: string;
  readonly target: RestorableStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** A restore that is done. */
export interface RestoredBackup extends BackupSummary {
  /** The revision behind which the versions of the restored store begin. */
  readonly floor: Revision;
}

const callMs = 30_000;

/**
 * Restores a backup into an empty store that no process uses. The file is read to its end before anything is written. A restore
 * that was interrupted continues when it is started again with the same file; until it is done no server starts on the store.
 */
export async function restoreStore(options: RestoreOptions): Promise<RestoredBackup> {
  const { file, target, signal } = options;
  const nextCall = (): CallContext => ({ signal, deadline: deadlineIn(callMs) });
  const encrypted = new Set<StorageKey>();
  const noteEncrypted = (records: readonly StorageRecord[]): void => {
    for (const { key, value } of records)
      if (!isReservedKey(key) && isEncrypted(value)) encrypted.add(typePrefixFromKey(key));
  };
  const backup = await readBackup(file, noteEncrypted, signal);
  const form = { ...backup.header.form, ...(encrypted.size > 0 && { encryptedTypes: [...encrypted] }) };
  const mark = { apiNames: backup.header.apiNames, restoring: backup.sha256 };
  const floor = await begin(options, backup, { mark, form }, nextCall);
  const { storage } = target;
  const written = await readBackup(file, records => putRecords(storage, records, nextCall), signal);
  if (written.sha256 !== backup.sha256) throw new Refusal(`${file} was changed while it was read`);
  await forgetHistory(storage, nextCall);
  const { record, revision } = await readApiNames(storage, nextCall());
  if (record?.restoring !== backup.sha256) throw changing();
  const { apiNames } = mark;
  const done = await storage.transact(
    {
      preconditions: [{ key: apiNamesKey, revision }],
      puts: [{ key: apiNamesKey, value: encodeApiNames({ apiNames }) }],
      deletes: [],
    },
    nextCall(),
  );
  if (!done.committed) throw changing();
  return { ...backup, floor };
}

type NamesMark = Parameters<typeof encodeApiNames>[0];

/** Marks the store, unless an interrupted restore of the same backup has; returns the revision floor. */
async function begin(
  { target, now }: RestoreOptions,
  { header, sha256 }: BackupSummary,
  { mark, form }: { readonly mark: NamesMark; readonly form: StoreForm },
  nextCall: () => CallContext,
): Promise<Revision> {
  const { record, revision } = await readApiNames(target.storage, nextCall());
  // The mark is the first write of a restore.
  if (record?.restoring === sha256) return revision - 1;
  if (record?.restoring !== undefined)
    throw new Refusal(
      `the restore of another backup is not finished: continue with the one whose SHA-256 is ${record.restoring}, or use a new store`,
    );
  if (record !== undefined || (await hasRecords(target.storage, nextCall))) throw inUse();
  const floor = revisionFloor(header, now());
  const outcome = await target.beginAfter(
    floor,
    {
      preconditions: [{ key: apiNamesKey, revision: 0 }],
      puts: [
        { key: apiNamesKey, value: encodeApiNames(mark) },
        { key: storeFormKey, value: encodeStoreForm(form) },
      ],
      deletes: [],
    },
    nextCall(),
  );
  if (!outcome.committed) throw inUse();
  return floor;
}

/** Milliseconds that this machine's clock may be behind that of the machine which made the backup. */
const clockSkewMs = 60_000;

/** Revisions that the floor is at least behind that of the backup. */
const leastDistance = 1_000_000;

/**
 * Computes the revision behind which a restored store begins: the microseconds since 1970, so that two restores at different times, of
 * one backup too, give out different versions while a store makes fewer than a million revisions a second.
 */
function revisionFloor({ revision, takenAt }: BackupHeader, now: number): Revision {
  if (now < takenAt - clockSkewMs)
    throw new Refusal(
      `the backup was taken at ${new Date(takenAt).toISOString()}, which is in the future: correct the clock of this machine`,
    );
  return Math.max(Math.floor(now) * 1000, revision + leastDistance);
}

async function hasRecords(storage: Storage, nextCall: () => CallContext): Promise<boolean> {
  for (const prefix of backedUpPrefixes)
    if ((await storage.list({ prefix, limit: 1 }, nextCall())).records.length > 0) return true;
  return false;
}

function inUse(): Refusal {
  return new Refusal(
    'the store is not empty: restore into an empty --data-dir, or under an --etcd-prefix without keys, before a server starts on it',
  );
}

function changing(): Refusal {
  return new Refusal('the store changed while it was restored: stop every service that uses it');
}

/** Most records of a transaction: each may be of a type of its own, whose type revision is written too. */
const mostPuts = 60;

/** Writes the records of a block, in transactions that are under way at once. */
async function putRecords(
  storage: Storage,
  records: readonly StorageRecord[],
  nextCall: () => CallContext,
): Promise<void> {
  const works = [...transactionsOf(records)].map(puts =>
    storage.transact({ preconditions: [], puts, deletes: [] }, nextCall()),
  );
  // No write may be under way when the caller closes the store.
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason;
}

function* transactionsOf(records: readonly StorageRecord[]): Iterable<Transaction['puts']> {
  let puts: { key: StorageRecord['key']; value: Uint8Array }[] = [];
  let bytes = 0;
  for (const { key, value } of records) {
    const size = Buffer.byteLength(key) + value.length;
    if (puts.length > 0 && (puts.length >= mostPuts || bytes + size > maxTransactionBytes / 2)) {
      yield puts;
      puts = [];
      bytes = 0;
    }
    puts.push({ key, value });
    bytes += size;
  }
  if (puts.length > 0) yield puts;
}

/** Compacts the history of the restore, of which no reader knows anything. A user of etcd may lack the right; it does no harm. */
async function forgetHistory(storage: Storage, nextCall: () => CallContext): Promise<void> {
  try {
    await storage.compact(await storage.typeRevision(undefined, nextCall()), nextCall());
  } catch (thrown) {
    if (!isStorageError(thrown)) throw thrown;
  }
}
