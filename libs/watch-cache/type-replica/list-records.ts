import type { Revision, Storage, StorageKey, StorageRecord } from '@binnacle/storage-contract';

const PAGE_DEADLINE_MS = 30_000;

/** All records below a prefix as of one revision. */
export interface ListedRecords {
  readonly records: readonly StorageRecord[];
  readonly revision: Revision;
}

/** Reads every page of a prefix at the revision of the first. Fails with the `StorageError` of the page that failed. */
export async function listRecords(
  storage: Pick<Storage, 'list'>,
  prefix: StorageKey,
  signal: AbortSignal,
): Promise<ListedRecords> {
  const records: StorageRecord[] = [];
  let page = await storage.list({ prefix }, pageCall(signal));
  const { revision } = page;
  for (;;) {
    for (const record of page.records) records.push(record);
    const last = page.records.at(-1);
    if (!page.more || last === undefined) return { records, revision };
    page = await storage.list({ prefix, startAfter: last.key, atRevision: revision }, pageCall(signal));
  }
}

function pageCall(signal: AbortSignal) {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_DEADLINE_MS)]),
    deadline: Date.now() + PAGE_DEADLINE_MS,
  };
}
