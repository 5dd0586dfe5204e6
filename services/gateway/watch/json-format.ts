import { renderedSize, type ServedBytes, type StoredItem, storedItem, writeRendered } from '@binnacle/codecs';
import type { WatchedEvent } from '@binnacle/watch-cache';
import { bookmarkObject } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { createFrame, type Framing } from './framing/framing.ts';
import type { EventFormat } from './watch-format.ts';

const openings: Readonly<Record<WatchedEvent['type'], Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const closing = Buffer.from('}\n');

/** JSON documents, one a line; an object's stored bytes are copied, not parsed. */
export function jsonFormat(context: FormatContext): EventFormat<ServedBytes> {
  const { alias, framing } = context;
  const { prefix } = alias;
  return {
    contentType: 'application/json',
    id: `json ${framing.id} ${alias.apiVersion}`,
    event: (type, bytes, revision) =>
      itemFrame(framing, type, { item: storedItem(bytes, revision), prefix, closing }),
    bookmark: (revision, initialEventsEnd) =>
      jsonFrame(framing, {
        type: 'BOOKMARK',
        object: bookmarkObject(context, { revision, initialEventsEnd }),
      }),
    error: status => jsonFrame(framing, { type: 'ERROR', object: status }),
  };
}

/** One JSON document as a frame. */
export function jsonFrame(framing: Framing, document: unknown): Buffer {
  return createFrame(framing, Buffer.from(`${JSON.stringify(document)}\n`));
}

/** An event as a frame: the text of its object is the prefix and the item; what closes both follows. */
export function itemFrame(
  framing: Framing,
  type: WatchedEvent['type'],
  {
    item,
    prefix,
    closing,
  }: {
    readonly item: StoredItem<ServedBytes>;
    readonly prefix: Uint8Array | undefined;
    readonly closing: Buffer;
  },
): Buffer {
  const opening = openings[type];
  const size = opening.length + renderedSize(item, prefix) + closing.length;
  const { buffer, contentStart } = framing.open(size);
  buffer.set(opening, contentStart);
  const end = writeRendered(buffer, contentStart + opening.length, item, prefix);
  buffer.set(closing, end);
  return buffer;
}
