import type { ResourceDefinition } from '@binnacle/api-types';
import { type RenderSource, renderedSize, writeRendered } from '@binnacle/codecs';
import type { WatchedEvent } from '@binnacle/watch-cache';
import type { Spelling } from '../render/spelling.ts';
import { bytesInVersion } from '../versions/stored-form.ts';
import { chunkFrameFor, chunkFrameOf } from './chunk-frame.ts';
import type { WatchFormat } from './watch-format.ts';

const openings: Readonly<Record<WatchedEvent['type'], Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const closing = Buffer.from('}\n');

/** JSON documents, one a line; an object's stored bytes are copied, not parsed. */
export function jsonFormat(definition: ResourceDefinition, spelling: Spelling): WatchFormat {
  return {
    contentType: 'application/json',
    encoding: {
      id: `json ${spelling.apiVersion}`,
      event: event => eventFrame(event, definition, spelling.prefix),
      bookmark: (revision, initialEventsEnd) =>
        jsonFrame({
          type: 'BOOKMARK',
          object: bookmarkObject(definition, spelling, { revision, initialEventsEnd }),
        }),
    },
    error: status => jsonFrame({ type: 'ERROR', object: status }),
  };
}

/** One JSON document as a frame. */
export function jsonFrame(document: unknown): Buffer {
  return chunkFrameOf(Buffer.from(`${JSON.stringify(document)}\n`));
}

/** The object of a BOOKMARK event: its kind and the resourceVersion, nothing else. */
export function bookmarkObject(
  definition: ResourceDefinition,
  spelling: Spelling,
  { revision, initialEventsEnd }: { revision: number; initialEventsEnd: boolean },
) {
  return {
    kind: definition.kind,
    apiVersion: spelling.apiVersion,
    metadata: {
      resourceVersion: String(revision),
      creationTimestamp: null,
      ...(initialEventsEnd ? { annotations: { 'cluster.io/initial-events-end': 'true' } } : {}),
    },
  };
}

function eventFrame(
  { type, object, revision }: WatchedEvent,
  definition: ResourceDefinition,
  prefix: Buffer | undefined,
): Buffer {
  const opening = openings[type];
  const stored = bytesInVersion(definition, object.stored);
  const source: RenderSource = { stored, revision, prefix };
  const size = opening.length + renderedSize(stored, revision, prefix) + closing.length;
  const { buffer, contentStart } = chunkFrameFor(size);
  buffer.set(opening, contentStart);
  const end = writeRendered(buffer, contentStart + opening.length, source);
  buffer.set(closing, end);
  return buffer;
}
