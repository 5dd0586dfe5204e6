import type { CallContext } from '@binnacle/proto';
import type { Storage, StorageKey, StorageRecord } from '@binnacle/storage-contract';

/** All records below a prefix of few. */
export async function listRecords(
  storage: Pick<Storage, 'list'>,
  prefix: StorageKey,
  call: CallContext,
): Promise<StorageRecord[]> {
  const records: StorageRecord[] = [];
  for (let startAfter: StorageKey | undefined; ; ) {
    const page = await storage.list({ prefix, ...(startAfter && { startAfter }) }, call);
    records.push(...page.records);
    startAfter = page.records.at(-1)?.key;
    if (!page.more || startAfter === undefined) return records;
  }
}
