/** The parts of a page of a list that lead to the next one. */
interface Page {
  readonly metadata: { readonly continue?: string };
}

const pageSize = 500;

/**
 * Yields the pages of a list. `read` requests one page by its query; the list ends early where it returns undefined. `firstSize` is the
 * limit of the first page; default: that of all pages.
 */
export async function* listPages<T extends Page>(
  read: (query: string) => Promise<T | undefined>,
  firstSize = pageSize,
): AsyncIterable<T> {
  let token = '';
  let size = firstSize;
  do {
    const page = await read(`?limit=${size}${token && `&continue=${encodeURIComponent(token)}`}`);
    if (page === undefined) return;
    yield page;
    token = page.metadata.continue ?? '';
    size = pageSize;
  } while (token !== '');
}
