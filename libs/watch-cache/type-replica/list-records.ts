import { deadlineIn } from '@binnacle/proto';
import {
  listPages,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
} from '@binnacle/storage-contract';

const pageDeadlineMs = 30_000;

/** All records under a prefix as of one revision. */
export interface ListedRecords {
  readonly records: readonly StorageRecord[];
  readonly revision: Revision;
}

/** Reads all pages of a prefix at the revision of the first page. Rejects with the `StorageError` of a failed page. */
export async function listRecords(
  storage: Pick<Storage, 'list'>,
  prefix: StorageKey,
  signal: AbortSignal,
): Promise<ListedRecords> {
  const records: StorageRecord[] = [];
  let revision = 0;
  for await (const page of listPages(storage, { prefix }, { nextCall: () => pageCall(signal) })) {
    for (const record of page.records) records.push(record);
    ({ revision } = page);
  }
  return { records, revision };
}

function pageCall(signal: AbortSignal) {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(pageDeadlineMs)]),
    deadline: deadlineIn(pageDeadlineMs),
  };
}
