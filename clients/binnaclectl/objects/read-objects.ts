import { groupTable } from '@binnacle/api-names/table';
import type { JsonObject } from '@binnacle/api-objects';
import type { DirectClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { OutputForm } from '../output/output-form.ts';
import { type Page, pageFrom } from './page.ts';

/** The objects of a collection to read, and their form. */
export interface Selection {
  /** Path of the collection. */
  readonly path: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Media type of the answers. */
  readonly accept: string;
}

/** A shape in the group of either vocabulary, whichever the server knows, or else the objects themselves. */
const shapedAs = (kind: string) =>
  [...groupTable.meta.map(group => `application/json;as=${kind};v=v1;g=${group}`), 'application/json'].join();

/** The media type in which objects are asked for. `single` tells whether it is one object, or events of a watch. */
export function acceptFor(form: OutputForm, { single }: { readonly single: boolean }): string {
  if (form === 'table' || form === 'wide') return shapedAs('Table');
  if (form === 'name') return shapedAs(single ? 'PartialObjectMetadata' : 'PartialObjectMetadataList');
  return 'application/json';
}

/**
 * All items of a collection as one page, read in pages of at most `chunkSize`; 0 is no limit. When its place in the list has
 * expired, the list is read anew in one piece. Columns are those of the first page.
 */
export async function readAll(
  client: Pick<DirectClient, 'json'>,
  selection: Selection,
  chunkSize: number,
): Promise<Page> {
  try {
    return await readInChunks(client, selection, chunkSize);
  } catch (error) {
    const isExpired = chunkSize > 0 && error instanceof StatusError && error.code === 410;
    if (!isExpired) throw error;
    return await readInChunks(client, selection, 0);
  }
}

async function readInChunks(
  client: Pick<DirectClient, 'json'>,
  selection: Selection,
  chunkSize: number,
): Promise<Page> {
  const limit: Record<string, string> = chunkSize > 0 ? { limit: String(chunkSize) } : {};
  const read = async (extra: Readonly<Record<string, string>>) => {
    const path = withQuery(selection, { ...limit, ...extra });
    return pageFrom(await client.json<JsonObject>({ method: 'GET', path, accept: selection.accept }));
  };
  // Every page shows the state of the first.
  const first = await read({});
  const items = [...first.items];
  for (let place = first.continueToken; place !== ''; ) {
    const page = await read({ continue: place });
    for (const item of page.items) items.push(item);
    place = page.continueToken;
  }
  return { ...first, items, continueToken: '' };
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
