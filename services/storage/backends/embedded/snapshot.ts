import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '@binnacle/backend-access';
import { settingName } from '@binnacle/flags';
import { ownBytes, type Revision, type StorageKey, type StorageRecord } from '@binnacle/storage-contract';
import { open as openLmdb } from 'lmdb';
import { createKeyLayout } from '../key-layout.ts';
import { usingDataFolder } from './data-folder.ts';
import { findHolder } from './directory-lock.ts';
import { revisionAt } from './rows.ts';
import { mapBytes, revisionRow, storeFile } from './store.ts';

/** The state of a store at one revision, whatever is written meanwhile. */
interface EmbeddedSnapshot extends AsyncDisposable {
  readonly revision: Revision;
  /** Reads the records below a prefix, in key order. */
  read(prefix: StorageKey): AsyncIterable<readonly StorageRecord[]>;
}

/** Records of a page. */
const pageRecords = 500;

/**
 * Opens a snapshot of the store in a directory that another process may serve: one read transaction of LMDB, which allows readers in
 * other processes. LMDB keeps the pages of the snapshot until it is disposed of, so the file grows by what is written meanwhile.
 *
 * Fails where there is no store, and where the process that serves it has the id of this one, as it may have in another container:
 * LMDB would take both for one.
 */
export function openEmbeddedSnapshot(directory: string): Promise<EmbeddedSnapshot> {
  return usingDataFolder(directory, { setting: settingName('dataDir'), work: () => openIn(directory) });
}

async function openIn(directory: string): Promise<EmbeddedSnapshot> {
  const path = join(directory, storeFile);
  // An empty file is a store that was never opened.
  if ((await fileBytes(path)) === 0) throw new Refusal(`there is no store in ${directory}`);
  if ((await findHolder(directory)) === process.pid)
    throw new Refusal(
      `the process that serves ${directory} has the process id of this one, ${process.pid}: run the command in the container of that process`,
    );
  const root = openLmdb<Buffer, Buffer>({
    path,
    noSubdir: true,
    readOnly: true,
    encoding: 'binary',
    keyEncoding: 'binary',
    maxDbs: 8,
    mapSize: mapBytes,
  });
  const table = (name: string, useVersions: boolean) =>
    root.openDB<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary', useVersions });
  const [meta, current] = [table('meta', false), table('current', true)];
  const layout = createKeyLayout('');
  const transaction = root.useReadTransaction();
  const row = meta.get(revisionRow, { transaction });
  return {
    revision: row === undefined ? 1 : revisionAt(row, 0),
    async *read(prefix) {
      let page: StorageRecord[] = [];
      for (const { key, value, version = 0 } of current.getRange({
        ...layout.below(prefix),
        versions: true,
        transaction,
      })) {
        page.push({ key: layout.toKey(key), value: ownBytes(value), revision: version });
        if (page.length < pageRecords) continue;
        yield page;
        page = [];
      }
      yield page;
    },
    async [Symbol.asyncDispose]() {
      transaction.done();
      await root.close();
    },
  };
}

/** The bytes of a file; 0 when there is none. */
async function fileBytes(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return 0;
    throw error;
  }
}
