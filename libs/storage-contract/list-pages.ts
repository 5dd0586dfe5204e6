import type { CallContext } from '@binnacle/proto';
import type { ListQuery, RecordPage, Storage } from './storage.ts';

/** Options of listPages. */
interface PageReading {
  /** Creates the call of the next page. */
  nextCall(): CallContext;
  /** Maximum number of records of the next page; default: the limit of the query. */
  nextLimit?(): number | undefined;
}

/**
 * Yields the pages of a list, each read on demand, all as of the revision of the first page. Throws the `StorageError` of a page
 * that failed.
 */
export async function* listPages(
  storage: Pick<Storage, 'list'>,
  query: ListQuery,
  { nextCall, nextLimit = () => query.limit }: PageReading,
): AsyncGenerator<RecordPage, void> {
  const { limit: _, ...place } = query;
  const read = (from: ListQuery): Promise<RecordPage> => {
    const limit = nextLimit();
    return storage.list({ ...from, ...(limit === undefined ? {} : { limit }) }, nextCall());
  };
  let page = await read(place);
  const { revision: atRevision } = page;
  for (;;) {
    yield page;
    const startAfter = page.records.at(-1)?.key;
    if (!page.more || startAfter === undefined) return;
    page = await read({ ...place, startAfter, atRevision });
  }
}
