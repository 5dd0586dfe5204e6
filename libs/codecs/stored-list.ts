import type { ListMeta } from '@binnacle/api-objects';
import { itemPrefix, renderedSize, writeRendered } from './stored-object.ts';

/** A stored object and the revision that it was written at. */
export interface StoredItem {
  readonly stored: Uint8Array;
  readonly revision: number;
}

/** How stored items become the elements of a JSON array. */
export interface StoredItemsOptions {
  /** What stands before the metadata of each item; list items have neither kind nor apiVersion. */
  readonly prefix?: Uint8Array;
  /** Bytes a chunk may have; one larger item makes a larger chunk. Default 1 MiB. */
  readonly chunkBytes?: number;
}

const DEFAULT_CHUNK_BYTES = 1 << 20;
const COMMA = 0x2c;

/**
 * Appends stored items, each with its resourceVersion and commas between them, to `chunks` as few large Buffers.
 * Nothing is parsed: an item costs two copies.
 */
export function appendStoredItems(
  chunks: Buffer[],
  items: readonly StoredItem[],
  options: StoredItemsOptions = {},
): void {
  const { prefix = itemPrefix, chunkBytes = DEFAULT_CHUNK_BYTES } = options;
  let start = 0;
  while (start < items.length) {
    let size = 0;
    let end = start;
    while (end < items.length && (end === start || size < chunkBytes)) {
      const item = items[end++]!;
      size += renderedSize(item.stored, item.revision, prefix) + 1;
    }
    chunks.push(renderRange(items, { start, end, size, prefix }));
    start = end;
  }
}

/** A whole list as JSON, in chunks: head with kind, apiVersion and metadata, then the stored items. */
export function renderStoredList(
  list: { readonly kind: string; readonly apiVersion: string; readonly metadata: ListMeta },
  items: readonly StoredItem[],
  options: StoredItemsOptions = {},
): Buffer[] {
  const head = JSON.stringify({ kind: list.kind, apiVersion: list.apiVersion, metadata: list.metadata });
  const chunks = [Buffer.from(`${head.slice(0, -1)},"items":[`)];
  appendStoredItems(chunks, items, options);
  chunks.push(Buffer.from(']}'));
  return chunks;
}

interface Range {
  readonly start: number;
  readonly end: number;
  /** Bytes of the rendered items with a comma each. */
  readonly size: number;
  readonly prefix: Uint8Array;
}

function renderRange(items: readonly StoredItem[], range: Range): Buffer {
  const { start, end, size, prefix } = range;
  const chunk = Buffer.allocUnsafeSlow(start === 0 ? size - 1 : size);
  let offset = 0;
  for (let i = start; i < end; i++) {
    if (i > 0) chunk[offset++] = COMMA;
    const { stored, revision } = items[i]!;
    offset = writeRendered(chunk, offset, { stored, revision, prefix });
  }
  return chunk;
}
