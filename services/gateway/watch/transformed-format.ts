import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import { decodeStored, type IncludeObject, tableFrom } from '@binnacle/codecs';
import type { WatchedEvent } from '@binnacle/watch-cache';
import { bytesShown } from '../versions/alias-form.ts';
import { bookmarkObject } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { jsonFrame } from './json-format.ts';
import { openingTable } from './opening-table.ts';
import type { WatchFormat } from './watch-format.ts';

/** Options of a Table watch. */
interface TableFormatOptions {
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly clock: () => number;
}

/**
 * Each event as a Table with one row. The columns come with the first event of a watch alone; the frames that
 * watchers share are without them.
 */
export function tableFormat(context: FormatContext, options: TableFormatOptions): WatchFormat {
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
  const format = transformedFormat(`table ${apiVersion} ${includeObject} ${alias.apiVersion}`, context, {
    event: event => table(objectOf(event, context), event.revision),
    bookmark: (revision, initialEventsEnd) => {
      const object = bookmarkObject(context, { revision, initialEventsEnd });
      // No time of creation, as nothing was created: absent for objects, null on the wire.
      return table(object as unknown as ApiObject, revision);
    },
  });
  return { ...format, opening: frames => openingTable(framing, frames, columnDefinitions) };
}

/** The value in the place of an event's object. */
interface Transform {
  event(event: WatchedEvent): JsonValue;
  bookmark(revision: number, initialEventsEnd: boolean): JsonValue;
}

/** JSON events whose objects have another shape; `id` differs between shapes that give different bytes. */
export function transformedFormat(id: string, { framing }: FormatContext, transform: Transform): WatchFormat {
  return {
    contentType: 'application/json',
    encoding: {
      id: `${id} ${framing.id}`,
      event: event => jsonFrame(framing, { type: event.type, object: transform.event(event) }),
      bookmark: (revision, initialEventsEnd) =>
        jsonFrame(framing, { type: 'BOOKMARK', object: transform.bookmark(revision, initialEventsEnd) }),
    },
    error: status => jsonFrame(framing, { type: 'ERROR', object: status }),
  };
}

function objectOf({ object, revision }: WatchedEvent, { definition, alias }: FormatContext): ApiObject {
  const stored = bytesShown(definition, object.stored, alias.names);
  return { ...decodeStored(stored, revision), apiVersion: alias.apiVersion };
}
