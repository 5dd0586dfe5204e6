import type { ResourceDefinition } from '@binnacle/api-types';
import { renderedSize, storedItem, writeRendered } from '@binnacle/codecs';
import type { WatchedEvent } from '@binnacle/watch-cache';
import type { Spelling } from '../render/spelling.ts';
import { bytesShown } from '../versions/alias-form.ts';
import { bookmarkObject } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { type Framing, frameOf } from './framing/framing.ts';
import type { WatchFormat } from './watch-format.ts';

const openings: Readonly<Record<WatchedEvent['type'], Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const closing = Buffer.from('}\n');

/** JSON documents, one a line; an object's stored bytes are copied, not parsed. */
export function jsonFormat(context: FormatContext): WatchFormat {
  const { spelling, framing } = context;
  return {
    contentType: 'application/json',
    encoding: {
      id: `json ${framing.id} ${spelling.apiVersion}`,
      event: event => eventFrame(event, context),
      bookmark: (revision, initialEventsEnd) =>
        jsonFrame(framing, {
          type: 'BOOKMARK',
          object: bookmarkObject(context, { revision, initialEventsEnd }),
        }),
    },
    error: status => jsonFrame(framing, { type: 'ERROR', object: status }),
  };
}

/** One JSON document as a frame. */
export function jsonFrame(framing: Framing, document: unknown): Buffer {
  return frameOf(framing, Buffer.from(`${JSON.stringify(document)}\n`));
}

function eventFrame(
  { type, object, revision }: WatchedEvent,
  { definition, spelling, framing }: { definition: ResourceDefinition; spelling: Spelling; framing: Framing },
): Buffer {
  const opening = openings[type];
  const { prefix, names } = spelling;
  const stored = bytesShown(definition, object.stored, names);
  const item = storedItem(stored, revision);
  const size = opening.length + renderedSize(item, prefix) + closing.length;
  const { buffer, contentStart } = framing.open(size);
  buffer.set(opening, contentStart);
  const end = writeRendered(buffer, contentStart + opening.length, item, prefix);
  buffer.set(closing, end);
  return buffer;
}
