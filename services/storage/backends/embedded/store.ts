import { join } from 'node:path';
import { type Revision, StorageError } from '@binnacle/storage-contract';
import { type Database, open, type RootDatabase } from 'lmdb';
import { createKeyLayout, type KeyLayout } from '../key-layout.ts';
import { lockDirectory } from './directory-lock.ts';
import { makePrivateDirectory, makePrivateFiles } from './private-files.ts';
import { RecentChanges } from './recent-changes.ts';
import { revisionFromKey, revisionKey } from './rows.ts';

type Table = Database<Buffer, Buffer>;

/**
 * The open tables of the embedded backend.
 *
 * `current` holds each key's bytes with the revision of its last write as version. A write moves the bytes that it
 * replaces to `history`, under the key and their own revision, with the revision that replaced them as version: they
 * were the record of the key from the one to the other. `log` has a row for each revision that names what it wrote.
 * Everything older than a revision follows from the three, and compaction forgets by walking the log.
 *
 * LMDB's commit is durable before it is visible (`overlappingSync` off), so whatever can be read was acknowledged or
 * is about to be. Reads of one synchronous step share one snapshot.
 */
export interface EmbeddedStore extends AsyncDisposable {
  readonly layout: KeyLayout;
  readonly clock: () => number;
  readonly current: Table;
  readonly history: Table;
  readonly log: Table;
  /** The keys in the last rows of the log, with the bytes: those of a revision that is not committed too. */
  readonly recent: RecentChanges;
  /** Takes a fresh snapshot for the reads of this step and gives its bounds. Throws when the store is unusable. */
  snapshot(): StoreBounds;
  /** The bounds as a write transaction sees them. */
  bounds(): StoreBounds;
  /** The last revision as a write transaction sees it. */
  lastRevision(): Revision;
  setRevision(revision: Revision): void;
  setCompacted(revision: Revision): void;
  /**
   * Runs work that must not throw once it has written, for nothing is rolled back; resolves when it is durable. Throws where the store
   * cannot be used.
   */
  write<T>(work: () => T): Promise<T>;
  /** The same at two moments between which nothing was written; undefined while a write is under way, and of a store that cannot be used. */
  state(): number | undefined;
  /** Calls back after each commit, until the returned function is called. */
  onCommit(listener: () => void): () => void;
}

/** How far history reaches. */
interface StoreBounds {
  /** The last revision; 1 for a store that nothing was written to. */
  readonly revision: Revision;
  /** Reads before this revision are refused. */
  readonly compacted: Revision;
}

const revisionRow = Buffer.from('revision');
const compactedRow = Buffer.from('compacted');

/**
 * Address space for the map of the file, not memory. A store that outgrows its map gets a second one, and the first one stays: by
 * default it begins so small that each page of the file would count several times as memory of the process.
 */
const mapBytes = 64 * 1024 ** 3;

/** Of new stores; others keep theirs. Three to five objects of usual size fit into a page, where 4 KiB mostly hold one. */
const pageBytes = 8192;

/**
 * Opens the store in a directory, which is made when it is missing. Only the owner may read the directory and its files.
 *
 * Fails, naming the process, when another one has it open.
 */
export async function openStore(directory: string, clock: () => number): Promise<EmbeddedStore> {
  await makePrivateDirectory(directory);
  const unlock = await lockDirectory(directory);
  try {
    const path = join(directory, 'store.mdb');
    await makePrivateFiles([path, `${path}-lock`]);
    const root = open<Buffer, Buffer>({
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
    const bytes = meta.get(row);
    return bytes === undefined ? missing : revisionFromKey(bytes);
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
        // Whatever the work wrote before it threw commits with the batch; going on from there would build on it.
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

/** A commit that is pending until it settles, after which listeners are told of it. */
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
