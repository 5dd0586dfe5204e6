import type { JsonObject } from '@binnacle/api-objects';
import type { DirectClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { OutputForm } from '../output/output-form.ts';
import { type Page, pageFrom } from './page.ts';

/** Which objects of a collection are read, and as what. */
export interface Selection {
  /** Path of the collection. */
  readonly path: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Media type of the answers. */
  readonly accept: string;
}

const tableType = 'application/json;as=Table;v=v1;g=meta.cluster.io,application/json';
const metadataType = (kind: string) => `application/json;as=${kind};v=v1;g=meta.cluster.io,application/json`;

/** The media type in which objects are asked for. `single` tells whether it is one object, or events of a watch. */
export function acceptFor(form: OutputForm, { single }: { readonly single: boolean }): string {
  if (form === 'table' || form === 'wide') return tableType;
  if (form === 'name') return metadataType(single ? 'PartialObjectMetadata' : 'PartialObjectMetadataList');
  return 'application/json';
}

async function* readPages(
  client: Pick<DirectClient, 'json'>,
  selection: Selection,
  chunkSize: number,
): AsyncIterable<Page> {
  const read = async (extra: Readonly<Record<string, string>>) => {
    const path = withQuery(selection, extra);
    return pageFrom(await client.json<JsonObject>({ method: 'GET', path, accept: selection.accept }));
  };
  const limit: Record<string, string> = chunkSize > 0 ? { limit: String(chunkSize) } : {};
  let page = await read(limit);
  while (page.continueToken !== '') {
    yield page;
    page = await read({ ...limit, continue: page.continueToken });
  }
  yield page;
}

/**
 * All items of a collection as one page, read in pages of at most `chunkSize`; 0 is no limit. When its place in the list has
 * expired, the list is read anew in one piece.
 */
export async function readAll(
  client: Pick<DirectClient, 'json'>,
  selection: Selection,
  chunkSize: number,
): Promise<Page> {
  try {
    const pages = await Array.fromAsync(readPages(client, selection, chunkSize));
    return {
      items: pages.flatMap(({ items }) => items),
      columns: pages[0]?.columns,
      // That of the state which every page shows.
      resourceVersion: pages[0]?.resourceVersion ?? '',
      continueToken: '',
    };
  } catch (error) {
    const isExpired = chunkSize > 0 && error instanceof StatusError && error.code === 410;
    if (!isExpired) throw error;
    return readAll(client, selection, 0);
  }
}

/** The path of a request for a selection. */
export function withQuery(
  { path, labelSelector, fieldSelector }: Omit<Selection, 'accept'>,
  extra: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
    ...extra,
  });
  return query.size === 0 ? path : `${path}?${query}`;
}
