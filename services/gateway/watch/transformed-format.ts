import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, type IncludeObject, partialMetadataFrom, tableFrom } from '@binnacle/codecs';
import type { WatchedEvent } from '@binnacle/watch-cache';
import type { Spelling } from '../render/spelling.ts';
import { bytesInVersion } from '../versions/stored-form.ts';
import { jsonFrame } from './json-format.ts';
import type { WatchFormat } from './watch-format.ts';

/** What a Table watch is made from. */
export interface TableFormatOptions {
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  readonly clock: () => number;
}

/** Each event as a Table with one row; the columns come with every event, for the frames are shared by watchers. */
export function tableFormat(
  definition: ResourceDefinition,
  spelling: Spelling,
  { apiVersion, includeObject, clock }: TableFormatOptions,
): WatchFormat {
  const table = (objects: readonly ApiObject[], revision: number) =>
    tableFrom(definition, objects, {
      listMeta: { resourceVersion: String(revision) },
      includeObject,
      now: clock(),
      apiVersion,
    });
  return transformedFormat(`table ${apiVersion} ${includeObject} ${spelling.apiVersion}`, {
    event: ({ object, revision }) =>
      table([decodeAs(bytesInVersion(definition, object.stored), revision, spelling)], revision),
    bookmark: revision => table([], revision),
  });
}

/** Each event's object reduced to its metadata. */
export function partialMetadataFormat(
  definition: ResourceDefinition,
  spelling: Spelling,
  apiVersion: string,
): WatchFormat {
  // A version may keep in annotations what it has no fields for.
  return transformedFormat(`metadata ${apiVersion} ${definition.group}/${definition.version}`, {
    event: ({ object, revision }) => {
      const stored = bytesInVersion(definition, object.stored);
      return partialMetadataFrom(decodeAs(stored, revision, spelling), apiVersion);
    },
    bookmark: (revision, initialEventsEnd) => ({
      kind: 'PartialObjectMetadata',
      apiVersion,
      metadata: {
        resourceVersion: String(revision),
        creationTimestamp: null,
        ...(initialEventsEnd ? { annotations: { 'cluster.io/initial-events-end': 'true' } } : {}),
      },
    }),
  });
}

interface Transform {
  event(event: WatchedEvent): JsonValue;
  bookmark(revision: number, initialEventsEnd: boolean): JsonValue;
}

function transformedFormat(id: string, transform: Transform): WatchFormat {
  return {
    contentType: 'application/json',
    encoding: {
      id,
      event: event => jsonFrame({ type: event.type, object: transform.event(event) }),
      bookmark: (revision, initialEventsEnd) =>
        jsonFrame({ type: 'BOOKMARK', object: transform.bookmark(revision, initialEventsEnd) }),
    },
    error: status => jsonFrame({ type: 'ERROR', object: status }),
  };
}

function decodeAs(stored: Buffer, revision: number, spelling: Spelling): ApiObject {
  return { ...decodeStored(stored, revision), apiVersion: spelling.apiVersion };
}
