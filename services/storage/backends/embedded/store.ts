import { chmod, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '@binnacle/backend-access';
import { settingName } from '@binnacle/flags';
import { type Revision, StorageError } from '@binnacle/storage-contract';
import { type Database, open as openLmdb, type RootDatabase } from 'lmdb';
import { createKeyLayout, type KeyLayout } from '../key-layout.ts';
import { makeDataFolder, usingDataFolder } from './data-folder.ts';
import { lockDirectory } from './directory-lock.ts';
import { makePrivateFiles } from './private-files.ts';
import { RecentChanges } from './recent-changes.ts';
import { revisionAt, revisionKey } from './rows.ts';

type Table = Database<Buffer, Buffer>;

/**
 * The open tables of the embedded backend.
 *
 * `current` holds each key's bytes with the revision of its last write as version. A write moves the bytes that it
 * replaces to `history`, under the key and their own revision, with the revision that replaced them as version: they
 * were the record of the key from the one to the other. `log` has a row for each revision that names what it wrote.
 * Everything older than a revision follows from the three, and compaction forgets by walking the log.
 *
 * LMDB's commit is durable before it is visible (`overlappingSync` off), so every readable record was acknowledged or is about to
 * be. Reads of one synchronous step share one snapshot.
 */
export interface EmbeddedStore extends AsyncDisposable {
  readonly layout: KeyLayout;
  readonly clock: () => number;
  readonly current: Table;
  readonly history: Table;
  readonly log: Table;
  /** The changes of the last rows of the log, including those of an uncommitted revision. */
  readonly recent: RecentChanges;
  /** Takes a fresh snapshot for the reads of this step and returns its bounds. Throws when the store is unusable. */
  snapshot(): StoreBounds;
  /** The bounds as a write transaction sees them. */
  bounds(): StoreBounds;
  /** The last revision as a write transaction sees it. */
  lastRevision(): Revision;
  setRevision(revision: Revision): void;
  setCompacted(revision: Revision): void;
  /**
   * Runs work in a write transaction; resolves when it is durable. The work must not throw once it has written, for nothing is rolled
   * back. Throws when the store is unusable.
   */
  write<T>(work: () => T): Promise<T>;
  /**
   * Counter of the commits; undefined while a write is under way or the store is unusable. Equal values mean that nothing was
   * written in between.
   */
  state(): number | undefined;
  /** Calls back after each commit, until the returned function is called. */
  onCommit(listener: () => void): () => void;
}

/** Bounds of the history. */
interface StoreBounds {
  /** The last revision; 1 for a store that nothing was written to. */
  readonly revision: Revision;
  /** Reads before this revision are refused. */
  readonly compacted: Revision;
}

/** The setting that names the folder which the store is in. */
const setting = settingName('dataDir');

/** The name of the file of a store in its directory. */
export const storeFile = 'store.mdb';

/** The row of `meta` that holds the last revision. */
export const revisionRow = Buffer.from('revision');
const compactedRow = Buffer.from('compacted');

/**
 * Address space for the map of the file, not memory. A store that outgrows its map gets a second one beside the first: LMDB's default
 * is so small that each page of the file would count several times as memory of the process.
 */
export const mapBytes = 64 * 1024 ** 3;

/**
 * Page size of new stores; existing ones keep theirs. A page holds three to five objects of usual size, where 4 KiB mostly hold
 * one.
 */
const pageBytes = 8192;

/**
 * Opens the store in a directory, which is created when it is missing. Only the owner may read the directory and its files.
 *
 * Fails, naming the process, when another one has it open.
 */
export async function openStore(directory: string, clock: () => number): Promise<EmbeddedStore> {
  await makeDataFolder(directory, setting);
  return usingDataFolder(directory, { setting, work: () => openIn(directory, clock) });
}

async function openIn(directory: string, clock: () => number): Promise<EmbeddedStore> {
  await chmod(directory, 0o700);
  const unlock = await lockDirectory(directory, setting);
  try {
    const path = join(directory, storeFile);
    await makePrivateFiles([path, `${path}-lock`]);
    await assertStoreFile(path);
    const root = openLmdb<Buffer, Buffer>({
      path,
      noSubdir: true,
      overlappingSync: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      maxDbs: 8,
      mapSize: mapBytes,
      pageSize: pageBytes,
    });
    return createStore(root, clock, unlock);
  } catch (thrown) {
    await unlock();
    throw thrown;
  }
}

/** The number that each file of LMDB begins with, behind the head of its first page. */
const magic = { offset: 24, value: 0xbeefc0de };

/** Refuses a file that is no store: LMDB would end the process. An empty one becomes a store. */
async function assertStoreFile(path: string): Promise<void> {
  await using file = await open(path, 'r');
  const head = Buffer.alloc(magic.offset + 4);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  if (bytesRead > 0 && (bytesRead < head.length || head.readUInt32LE(magic.offset) !== magic.value))
    throw new Refusal(`${path} is not a store: restore it, or set ${setting} to another folder`);
}

function createStore(
  root: RootDatabase<Buffer, Buffer>,
  clock: () => number,
  unlock: () => Promise<void>,
): EmbeddedStore {
  const table = (name: string, useVersions: boolean): Table =>
    root.openDB<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary', useVersions });
  const meta = table('meta', false);
  const listeners = new Set<() => void>();
  const pending = new Set<Promise<unknown>>();
  let writes = 0;
  let unusable: string | undefined;

  const numberAt = (row: Buffer, missing: Revision): Revision => {
    // Not a copy: a view of more bytes, of which the value is the first, up to the next read.
    const bytes = meta.getBinaryFast(row);
    return bytes === undefined ? missing : revisionAt(bytes, 0);
  };
  const lastRevision = (): Revision => numberAt(revisionRow, 1);
  const bounds = (): StoreBounds => ({ revision: lastRevision(), compacted: numberAt(compactedRow, 1) });
  const assertUsable = (): void => {
    if (unusable !== undefined) throw new StorageError('unavailable', unusable);
  };

  function write<T>(work: () => T): Promise<T> {
    assertUsable();
    writes++;
    const committing = root.transaction(() => {
      assertUsable();
      try {
        return work();
      } catch (thrown) {
        // The writes before the error commit with the batch; later writes would build on them.
        unusable = `the store failed in the middle of a write: ${String(thrown)}`;
        throw thrown;
      }
    });
    return tracked(committing, { pending, listeners });
  }

  return {
    layout: createKeyLayout(''),
    clock,
    current: table('current', true),
    history: table('history', true),
    log: table('log', false),
    recent: new RecentChanges(),
    snapshot() {
      assertUsable();
      root.resetReadTxn();
      return bounds();
    },
    bounds,
    lastRevision,
    setRevision: revision => void meta.put(revisionRow, revisionKey(revision)),
    setCompacted: revision => void meta.put(compactedRow, revisionKey(revision)),
    write,
    state: () => (pending.size === 0 && unusable === undefined ? writes : undefined),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      if (unusable === 'the store is closed') return;
      unusable = 'the store is closed';
      for (const listener of listeners) listener();
      await Promise.allSettled(pending);
      await root.close();
      await unlock();
    },
  };
}

/** Counts a commit as pending until it settles, and then notifies the listeners. */
function tracked<T>(
  committing: Promise<T>,
  {
    pending,
    listeners,
  }: { readonly pending: Set<Promise<unknown>>; readonly listeners: ReadonlySet<() => void> },
): Promise<T> {
  pending.add(committing);
  return committing.then(
    result => {
      pending.delete(committing);
      for (const listener of listeners) listener();
      return result;
    },
    (thrown: unknown) => {
      pending.delete(committing);
      throw thrown;
    },
  );
}
