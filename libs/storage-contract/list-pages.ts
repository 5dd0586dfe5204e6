import type { CallContext } from '@binnacle/proto';
import type { ListQuery, RecordPage, Storage } from './storage.ts';

/**
 * The pages of a list, each read when it is asked for, all as of the revision of the first. `callOf` gives the call of each
 * page. Fails with the `StorageError` of the page that failed.
 */
export async function* listPages(
  storage: Pick<Storage, 'list'>,
  query: ListQuery,
  callOf: () => CallContext,
): AsyncGenerator<RecordPage, void> {
  let page = await storage.list(query, callOf());
  const { revision: atRevision } = page;
  for (;;) {
    yield page;
    const startAfter = page.records.at(-1)?.key;
    if (!page.more || startAfter === undefined) return;
    page = await storage.list({ ...query, startAfter, atRevision }, callOf());
  }
}
