import type { ListMeta } from '@binnacle/api-objects';
import {
  itemPrefix,
  renderedSize,
  type ServedBytes,
  type StoredItem,
  writeRendered,
} from './stored-object.ts';

/** Kind, version and metadata of a list. */
interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** The bytes that replace the stored prefix of each item, `stored` to keep it; default: a prefix without kind and apiVersion. */
  readonly itemPrefix?: Uint8Array | 'stored';
}

/** A JSON list that is rendered while it is sent. */
export interface StoredList {
  /** Total bytes of all chunks. */
  readonly size: number;
  /**
   * Yields the bytes in order. A chunk may be a view of `buffer`, valid until the next one is requested; an item larger than the
   * buffer gets a chunk of its own, and so does the end of the list. Nothing is parsed: an item costs two copies.
   */
  chunks(buffer: Buffer): Generator<Buffer, void>;
}

const commaByte = 0x2c;
const closing = ']}';

/** Renders a list: kind, apiVersion and metadata, then the stored items, each with its resourceVersion. */
export function renderStoredList(head: ListHead, items: readonly StoredItem<ServedBytes>[]): StoredList {
  const text = JSON.stringify({ kind: head.kind, apiVersion: head.apiVersion, metadata: head.metadata });
  const start = Buffer.from(`${text.slice(0, -1)},"items":[`);
  const prefix = head.itemPrefix === 'stored' ? undefined : (head.itemPrefix ?? itemPrefix);
  let size = start.length + closing.length + Math.max(0, items.length - 1);
  for (const item of items) size += renderedSize(item, prefix);
  return { size, chunks: buffer => splitIntoChunks({ start, items, prefix }, buffer) };
}

interface ListParts {
  readonly start: Buffer;
  readonly items: readonly StoredItem<ServedBytes>[];
  readonly prefix: Uint8Array | undefined;
}

function* splitIntoChunks({ start, items, prefix }: ListParts, buffer: Buffer): Generator<Buffer, void> {
  yield start;
  let filled = 0;
  let isFirst = true;
  for (const item of items) {
    const comma = isFirst ? 0 : 1;
    isFirst = false;
    const size = renderedSize(item, prefix) + comma;
    if (filled > 0 && filled + size > buffer.length) {
      yield buffer.subarray(0, filled);
      filled = 0;
    }
    const fits = size <= buffer.length;
    const target = fits ? buffer : Buffer.allocUnsafe(size);
    const offset = fits ? filled : 0;
    if (comma === 1) target[offset] = commaByte;
    const end = writeRendered(target, offset + comma, item, prefix);
    if (fits) filled = end;
    else yield target;
  }
  if (filled > 0) yield buffer.subarray(0, filled);
  yield Buffer.from(closing);
}
