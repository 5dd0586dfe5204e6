import type { CallContext } from '@binnacle/proto';
import type { ListQuery, RecordPage, Storage } from './storage.ts';

/** How the pages of a list are read. */
interface PageReading {
  /** The call of the next page. */
  nextCall(): CallContext;
  /** Records of the next page at most; default: the limit of the query for each page. */
  nextLimit?(): number | undefined;
}

/**
 * The pages of a list, each read when it is asked for, all as of the revision of the first. Fails with the `StorageError` of
 * the page that failed.
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
