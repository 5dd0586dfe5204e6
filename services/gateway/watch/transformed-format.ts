import { type ApiObject, type JsonValue, readJson } from '@binnacle/api-objects';
import {
  decodeStored,
  type IncludeObject,
  type ServedBytes,
  type TableColumnDefinition,
  tableFrom,
} from '@binnacle/codecs';
import { bookmarkObject } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { createFrame, type Framing } from './framing/framing.ts';
import { jsonFrame } from './json-format.ts';
import type { EventFormat } from './watch-format.ts';

/** Options of a Table watch. */
interface TableFormatOptions {
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly clock: () => number;
}

/**
 * Each event as a Table with one row. The columns come with the first event of a watch alone; the frames that watchers
 * share do not have them.
 */
export function tableFormat(context: FormatContext, options: TableFormatOptions): EventFormat<ServedBytes> {
  const { definition, alias, framing } = context;
  const { apiVersion, includeObject, clock } = options;
  const table = (object: ApiObject, revision: number) => ({
    ...tableFrom(definition, [object], {
      listMeta: { resourceVersion: String(revision) },
      includeObject,
      now: clock(),
      apiVersion,
    }),
    columnDefinitions: null,
  });
  const { columnDefinitions } = tableFrom(definition, [], { listMeta: {}, now: 0 });
  const id = `table ${apiVersion} ${includeObject} ${alias.apiVersion}`;
  const format = transformedFormat<ServedBytes>(id, context, {
    event: (bytes, revision) =>
      table({ ...decodeStored(bytes, revision), apiVersion: alias.apiVersion }, revision),
    bookmark: (revision, initialEventsEnd) => {
      const object = bookmarkObject(context, { revision, initialEventsEnd });
      // No time of creation, as nothing was created: absent for objects, null on the wire.
      return table(object as unknown as ApiObject, revision);
    },
  });
  return { ...format, opening: frames => openingTable(framing, frames, columnDefinitions) };
}

/** Puts the columns into the first of some frames, if that is a Table; the others stay as they are. */
function openingTable(framing: Framing, frames: Buffer, columns: readonly TableColumnDefinition[]): Buffer {
  const { contentStart, contentEnd, end } = framing.first(frames);
  const document = readJson(frames.toString('utf8', contentStart, contentEnd), false);
  if (!isTableEvent(document)) return frames;
  document.object.columnDefinitions = columns;
  const first = createFrame(framing, Buffer.from(`${JSON.stringify(document)}\n`));
  return end === frames.length ? first : Buffer.concat([first, frames.subarray(end)]);
}

/** Whether the object of an event is a Table; frames are written by this server, so that it is that or a Status. */
function isTableEvent(document: unknown): document is { object: { columnDefinitions: unknown } } {
  return (document as { object: { kind: string } }).object.kind === 'Table';
}

/** The value in place of an event's object. */
interface Transform<Bytes> {
  event(bytes: Bytes, revision: number): JsonValue;
  bookmark(revision: number, initialEventsEnd: boolean): JsonValue;
}

/** JSON events whose objects have another shape; `id` differs between shapes that give different bytes. */
export function transformedFormat<Bytes extends Buffer>(
  id: string,
  { framing }: FormatContext,
  transform: Transform<Bytes>,
): EventFormat<Bytes> {
  return {
    contentType: 'application/json',
    id: `${id} ${framing.id}`,
    event: (type, bytes, revision) => jsonFrame(framing, { type, object: transform.event(bytes, revision) }),
    bookmark: (revision, initialEventsEnd) =>
      jsonFrame(framing, { type: 'BOOKMARK', object: transform.bookmark(revision, initialEventsEnd) }),
    error: status => jsonFrame(framing, { type: 'ERROR', object: status }),
  };
}
