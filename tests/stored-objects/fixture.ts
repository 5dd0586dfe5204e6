import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { vocabulary } from '@binnacle/api-names';
import { createCallContext } from '@binnacle/rpc';
import { convertNames, createStorageService } from '@binnacle/storage';
import {
  type Storage,
  type StorageRecord,
  storageKeyFrom,
  typeRevisionPrefix,
} from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';

/** The store of a data folder that the release before wrote, compressed; the folder's keys and certificates are no part of it. */
const fixtureFile = join(import.meta.dirname, 'release-before.mdb.br');
const storeFile = 'store.mdb';
const timeoutMs = 60_000;

/** A key of a store with its bytes. */
export type StoredRecord = Pick<StorageRecord, 'key' | 'value'>;

/** The folder of the store within a data folder. */
export function storeDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'store');
}

/** Puts the store of the fixture into a data folder that has none, in the names of the release before. */
export async function unpackFixture(dataDirectory: string): Promise<void> {
  const directory = storeDirectory(dataDirectory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, storeFile), brotliDecompressSync(await readFile(fixtureFile)));
}

/** The same in the names of this process, to which the store is converted. */
export async function unpackConverted(dataDirectory: string): Promise<void> {
  await unpackFixture(dataDirectory);
  await convertNames({
    args: ['--backend=embedded', `--data-dir=${dataDirectory}`],
    env: {},
    to: vocabulary,
    signal: new AbortController().signal,
  });
}

/** Makes the store of a data folder, which no process has open, the fixture; gives its size in bytes. */
export async function packFixture(dataDirectory: string): Promise<number> {
  const packed = brotliCompressSync(await readFile(join(storeDirectory(dataDirectory), storeFile)));
  await writeFile(fixtureFile, packed);
  return packed.length;
}

/** The records of the store of a data folder that no process has open, in the order in which they were written. */
export async function readStore(dataDirectory: string): Promise<readonly StorageRecord[]> {
  await using opened = await openStore(dataDirectory);
  using call = createCallContext({ timeoutMs });
  const { storage } = opened;
  const records: StorageRecord[] = [];
  for (let more = true; more; ) {
    const last = records.at(-1)?.key;
    const query = { prefix: storageKeyFrom('/'), ...(last !== undefined && { startAfter: last }) };
    const page = await storage.list(query, call);
    records.push(...page.records);
    more = page.more;
  }
  // The store writes these by itself.
  return records
    .filter(({ key }) => !key.startsWith(typeRevisionPrefix))
    .sort((a, b) => a.revision - b.revision);
}

/** Replaces records in the store of a data folder that no process has open. */
export async function replaceRecords(dataDirectory: string, records: readonly StoredRecord[]): Promise<void> {
  await using opened = await openStore(dataDirectory);
  using call = createCallContext({ timeoutMs });
  for (const { key, value } of records)
    await opened.storage.transact({ preconditions: [], puts: [{ key, value }], deletes: [] }, call);
}

/** Writes records into any store, each in a transaction of its own, where their keys are free. */
export async function putRecords(storage: Storage, records: readonly StoredRecord[]): Promise<void> {
  using call = createCallContext({ timeoutMs });
  for (const { key, value } of records) {
    const preconditions = [{ key, revision: 0 }];
    await storage.transact({ preconditions, puts: [{ key, value }], deletes: [] }, call);
  }
}

function openStore(dataDirectory: string) {
  const backend = { kind: 'embedded', directory: storeDirectory(dataDirectory) } as const;
  const metrics = createMetrics({ process: false });
  return createStorageService({ backend, log: silentLogger, metrics });
}
