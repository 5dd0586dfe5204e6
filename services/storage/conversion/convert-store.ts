import { type Vocabulary, vocabularies } from '@binnacle/api-names';
import { groupTable } from '@binnacle/api-names/table';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import { ApiNamesRefusal } from '@binnacle/rpc';
import {
  apiNamesKey,
  isStorageError,
  listPages,
  maxTransactionBytes,
  type Revision,
  reservationPrefix,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import { assertRestored, encodeApiNames, readApiNames } from '../api-names/api-names-record.ts';
import { isEncrypted } from '../encryption/stored-prefix.ts';
import { readStoreForm } from '../store-form/store-form.ts';
import { ConversionReport } from './conversion-report.ts';
import { type ConvertedObject, convertKey, convertObject } from './convert-object.ts';
import {
  asidePrefix,
  decodeAside,
  decodeKept,
  encodeAside,
  encodeKept,
  type KeptNames,
  keptPrefix,
  keyBelow,
} from './kept-names.ts';
import type { BothWays } from './name-rules.ts';
import { createNameWords } from './name-words.ts';

/** Options of a conversion. */
interface ConvertStoreOptions {
  readonly storage: Storage;
  readonly to: Vocabulary;
  /** Interrupts the conversion; the next one continues from there. */
  readonly signal: AbortSignal;
  /** Called with the number of processed objects. */
  readonly onProgress?: (objects: number) => void;
}

const callMs = 30_000;
const pageSize = 200;
const everyObject = storageKeyFrom('/');
const reservations = storageKeyFrom(reservationPrefix);

/**
 * Converts a store that no process uses to the names of a vocabulary; a store that has them stays unchanged.
 *
 * First the names record is marked, so that no server starts on the store. Each object moves in a transaction of its own, with the data
 * for converting back. Records written after the beginning are converted already, so a conversion that was interrupted at any point
 * continues when it is started again. Throws an ApiNamesRefusal for a store that is being converted to other names.
 */
export async function convertStore(options: ConvertStoreOptions): Promise<ConversionReport> {
  const { to } = options;
  const begun = await begin(options);
  const [from = to] = vocabularies.filter(name => name !== to);
  const report = new ConversionReport({ from, to });
  if (begun === 'done') return report;
  let { revision } = begun;
  if (!begun.isRewritten) {
    await rewrite({ ...options, from, since: revision, report });
    // Recorded before the data of the earlier conversion is removed: a resumed run must not look for it.
    const rewritten = { apiNames: from, convertingTo: to, isRewritten: true };
    revision = await writeRecord(options, revision, rewritten);
  }
  await removeBelow(options, keptPrefix(from));
  await reportKept(options, report);
  await forgetHistory(options, report);
  await writeRecord(options, revision, { apiNames: to });
  return report;
}

/** The state of a conversion: the revision at which it began, and whether all objects are converted. */
interface Begun {
  readonly revision: Revision;
  readonly isRewritten: boolean;
}

async function begin(options: ConvertStoreOptions): Promise<Begun | 'done'> {
  const { storage, to } = options;
  const call = createCalls(options);
  await readStoreForm(storage, call());
  const { record, revision } = await readApiNames(storage, call());
  if (record !== undefined) assertRestored(record);
  const target = record?.convertingTo;
  if (target !== undefined && target !== to)
    throw new ApiNamesRefusal(
      `the conversion of the store to --api-names=${target} is not finished: finish it with --to=${target} first`,
    );
  if (target !== undefined) return { revision, isRewritten: record?.isRewritten ?? false };
  const isEmpty = (await storage.list({ prefix: everyObject, limit: 1 }, call())).records.length === 0;
  const apiNames = record?.apiNames ?? (isEmpty ? to : 'cluster');
  if (apiNames === to) {
    if (record === undefined) await writeRecord(options, revision, { apiNames });
    return 'done';
  }
  await assertPlaintext(options);
  return {
    revision: await writeRecord(options, revision, { apiNames, convertingTo: to }),
    isRewritten: false,
  };
}

/** Refuses a store with encrypted values: the names in them cannot be rewritten without their keys. */
async function assertPlaintext(options: ConvertStoreOptions): Promise<void> {
  for await (const { records } of pages(options, everyObject))
    for (const { key, value } of records)
      if (isEncrypted(value))
        throw new ApiNamesRefusal(
          `the value of ${key} is encrypted: switch encryption at rest off and rewrite what it encrypted ("binnaclectl secrets rewrite"), convert the store, and switch it on again`,
        );
}

async function writeRecord(
  options: ConvertStoreOptions,
  revision: Revision,
  record: Parameters<typeof encodeApiNames>[0],
): Promise<Revision> {
  return await commit(options, {
    preconditions: [{ key: apiNamesKey, revision }],
    puts: [{ key: apiNamesKey, value: encodeApiNames(record) }],
  });
}

interface Rewrite extends ConvertStoreOptions {
  readonly from: Vocabulary;
  /** The revision after which every written record is converted already. */
  readonly since: Revision;
  readonly report: ConversionReport;
}

/** Options of rewriting: names, and the data that the earlier conversion kept. */
interface Rewriting extends Rewrite {
  readonly words: BothWays;
  readonly known: ReadonlyMap<StorageKey, KeptNames>;
}

async function rewrite(options: Rewrite): Promise<void> {
  const { from, to } = options;
  const custom = await customGroups(options);
  const words = {
    there: createNameWords({ from, to }, custom),
    back: createNameWords({ from: to, to: from }, custom),
  };
  const known = new Map<StorageKey, KeptNames>();
  for await (const { records } of pages(options, keptPrefix(from)))
    for (const { value } of records) {
      const kept = decodeKept(value);
      known.set(kept.key, kept);
    }
  const rewriting: Rewriting = { ...options, words, known };
  let looked = 0;
  for await (const { records } of pages(options, everyObject)) {
    await allEnded(records.map(record => rewriteObject(rewriting, record)));
    looked += records.length;
    options.onProgress?.(looked);
  }
  for await (const { records } of pages(options, reservations))
    await allEnded(records.map(record => rewriteReservation(rewriting, record)));
  for await (const { records } of pages(options, asidePrefix(from)))
    for (const record of records) await bringBack(rewriting, record);
}

/** Waits until all works have ended, then throws the first failure: no write may be under way when the caller closes the store. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason;
}

async function reportKept(options: ConvertStoreOptions, report: ConversionReport): Promise<void> {
  for await (const { records } of pages(options, keptPrefix(options.to)))
    for (const { value } of records) report.kept(decodeKept(value));
  for await (const { records } of pages(options, asidePrefix(options.to)))
    for (const { value } of records) report.setAside(decodeAside(value).key);
}

/** Lists the groups of custom definitions, except those in the table of names. */
async function customGroups(options: Rewrite): Promise<ReadonlySet<string>> {
  const listed: ReadonlySet<string> = new Set(Object.values(groupTable).flat());
  const found = new Set<string>();
  for (const group of groupTable.apiextensions)
    for await (const { records } of pages(options, storageKeyFrom(`/${group}/customresourcedefinitions/`)))
      for (const { key } of records) {
        const name = key.slice(key.lastIndexOf('/') + 1);
        const custom = name.slice(name.indexOf('.') + 1);
        if (!listed.has(custom)) found.add(custom);
      }
  return found;
}

async function rewriteObject(rewriting: Rewriting, record: StorageRecord): Promise<void> {
  const { words, known, report, since } = rewriting;
  const converted = convertObject(record, words, known.get(record.key));
  report.ambiguous(converted);
  if (record.revision > since) {
    report.earlier();
    return;
  }
  const isSame = converted.key === record.key && Buffer.compare(converted.value, record.value) === 0;
  if (isSame && converted.kept === undefined) return;
  if (!isSame) report.converted(converted, record.key);
  await writeObject(rewriting, record, converted);
}

async function writeObject(
  rewriting: Rewriting,
  { key, value, revision }: StorageRecord,
  converted: ConvertedObject,
): Promise<void> {
  const { to } = rewriting;
  const kept = converted.kept && {
    key: keyBelow(keptPrefix(to), converted.key),
    value: encodeKept(converted.kept),
  };
  const object = { key: converted.key, value: converted.value };
  const isMoved = object.key !== key;
  const own = { key, revision };
  if (Buffer.compare(object.value, value) === 0 && !isMoved) {
    if (kept) await commit(rewriting, { preconditions: [own], puts: [kept] });
    return;
  }
  const isLarge = kept && kept.value.length + object.value.length > maxTransactionBytes / 2;
  // Kept names may be written first: a repeated conversion writes the same ones.
  if (kept && isLarge) await commit(rewriting, { preconditions: [own], puts: [kept] });
  const outcome = await rewriting.storage.transact(
    {
      preconditions: isMoved ? [own, { key: object.key, revision: 0 }] : [own],
      puts: kept && !isLarge ? [object, kept] : [object],
      deletes: isMoved ? [key] : [],
    },
    createCalls(rewriting)(),
  );
  if (outcome.committed) return;
  if (outcome.failedPrecondition === 0) throw changing();
  // There are objects under both keys: the one with the new key already keeps it.
  await commit(rewriting, {
    preconditions: [own],
    puts: [{ key: keyBelow(asidePrefix(to), key), value: encodeAside(key, value) }],
    deletes: [key],
  });
}

/** Rewrites a reservation, which names its object by key. */
async function rewriteReservation(
  rewriting: Rewriting,
  { key, value, revision }: StorageRecord,
): Promise<void> {
  const { words, known, report, since, storage, to } = rewriting;
  const holder = Buffer.from(value).toString();
  if (revision > since || !holder.startsWith('/')) return;
  const before = storageKeyFrom(holder);
  const after = convertKey(before, words, known.get(before));
  if (after === before) return;
  const aside = await storage.get(keyBelow(asidePrefix(to), before), createCalls(rewriting)());
  if (aside.record !== undefined) return;
  await commit(rewriting, { preconditions: [{ key, revision }], puts: [{ key, value: Buffer.from(after) }] });
  report.reservation();
}

/** Restores an object that the earlier conversion had set aside, where its key is free. */
async function bringBack(rewriting: Rewriting, aside: StorageRecord): Promise<void> {
  const { key, value } = decodeAside(aside.value);
  const { committed } = await rewriting.storage.transact(
    {
      preconditions: [
        { key: aside.key, revision: aside.revision },
        { key, revision: 0 },
      ],
      puts: [{ key, value }],
      deletes: [aside.key],
    },
    createCalls(rewriting)(),
  );
  if (!committed) rewriting.report.setAside(key);
}

async function removeBelow(options: ConvertStoreOptions, prefix: StorageKey): Promise<void> {
  for await (const { records } of pages(options, prefix))
    for (let at = 0; at < records.length; at += 100)
      await commit(options, {
        preconditions: [],
        puts: [],
        deletes: records.slice(at, at + 100).map(({ key }) => key),
      });
}

/** Compacts the history, so that readers of the change feed list again: the old changes have the old names. */
async function forgetHistory(options: ConvertStoreOptions, report: ConversionReport): Promise<void> {
  const call = createCalls(options);
  try {
    await options.storage.compact(await options.storage.typeRevision(undefined, call()), call());
  } catch (thrown) {
    if (!isStorageError(thrown)) throw thrown;
    report.historyKept(thrown.message);
  }
}

interface Writes {
  readonly preconditions: Parameters<Storage['transact']>[0]['preconditions'];
  readonly puts: Parameters<Storage['transact']>[0]['puts'];
  readonly deletes?: readonly StorageKey[];
}

async function commit(
  options: ConvertStoreOptions,
  { preconditions, puts, deletes = [] }: Writes,
): Promise<Revision> {
  const outcome = await options.storage.transact({ preconditions, puts, deletes }, createCalls(options)());
  if (!outcome.committed) throw changing();
  return outcome.revision;
}

function changing(): ApiNamesRefusal {
  return new ApiNamesRefusal('the store changes while it is converted: stop every service that uses it');
}

function pages(options: ConvertStoreOptions, prefix: StorageKey) {
  return listPages(options.storage, { prefix, limit: pageSize }, { nextCall: createCalls(options) });
}

function createCalls({ signal }: ConvertStoreOptions): () => CallContext {
  return () => ({ signal, deadline: deadlineIn(callMs) });
}
