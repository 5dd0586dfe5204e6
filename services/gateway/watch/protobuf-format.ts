import type { JsonObject } from '@binnacle/api-objects';
import { messageNamed, type ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, encodeProtobuf, encodeProtobufWatchFrame } from '@binnacle/codecs';
import type { Status } from '@binnacle/status-errors';
import type { Spelling } from '../render/spelling.ts';
import { bytesInVersion } from '../versions/stored-form.ts';
import { chunkFrameOf } from './chunk-frame.ts';
import { bookmarkObject } from './json-format.ts';
import type { WatchFormat } from './watch-format.ts';

/** Protobuf frames: four bytes of length, then a WatchEvent whose object is in its envelope (behaviour of the field's clients). */
export function protobufFormat(
  definition: ResourceDefinition,
  spelling: Spelling,
  mediaType: string,
): WatchFormat {
  const frame = (type: string, object: JsonObject) =>
    chunkFrameOf(encodeProtobufWatchFrame(type, encodeProtobuf(definition, object)));
  return {
    contentType: `${mediaType};stream=watch`,
    encoding: {
      id: `protobuf ${spelling.apiVersion}`,
      event: ({ type, object, revision }) =>
        frame(type, {
          ...decodeStored(bytesInVersion(definition, object.stored), revision),
          apiVersion: spelling.apiVersion,
        }),
      bookmark: (revision, initialEventsEnd) =>
        frame('BOOKMARK', bookmarkObject(definition, spelling, { revision, initialEventsEnd })),
    },
    error: status => errorFrame(status),
  };
}

function errorFrame(status: Status): Buffer {
  // A Status is JSON, whatever its interface leaves open.
  const object = status as unknown as JsonObject;
  const envelope = encodeProtobuf(messageNamed('cluster.io.api.meta.v1.Status'), object);
  return chunkFrameOf(encodeProtobufWatchFrame('ERROR', envelope));
}
