import type { JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { encodeProtobuf, encodeProtobufWatchFrame } from '@binnacle/codecs';
import type { Status } from '@binnacle/status-errors';
import { objectShown } from '../versions/alias-form.ts';
import { bookmarkObject } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { type Framing, frameOf } from './framing/framing.ts';
import { binaryFraming } from './framing/web-socket-framing.ts';
import type { WatchFormat } from './watch-format.ts';

/** Bytes of the length before an event; a WebSocket message has a length of its own. */
const lengthBytes = 4;

/** Protobuf frames: four bytes of length, then a WatchEvent whose object is in its envelope (behaviour of the field's clients). */
export function protobufFormat(context: FormatContext, mediaType: string): WatchFormat {
  const { definition, spelling, framing } = context;
  const frame = (type: string, object: JsonObject) =>
    eventFrame(framing, type, encodeProtobuf(definition, object));
  return {
    contentType: `${mediaType};stream=watch`,
    encoding: {
      id: `protobuf ${framing.id} ${spelling.apiVersion}`,
      event: ({ type, object, revision }) =>
        frame(type, {
          ...objectShown(
            definition,
            { stored: object.stored, revision },
            { names: spelling.names, encoding: 'protobuf' },
          ),
          apiVersion: spelling.apiVersion,
        }),
      bookmark: (revision, initialEventsEnd) =>
        frame('BOOKMARK', bookmarkObject(context, { revision, initialEventsEnd })),
    },
    error: status => errorFrame(framing, status),
  };
}

function errorFrame(framing: Framing, status: Status): Buffer {
  // A Status is JSON, whatever its interface leaves open.
  const object = status as unknown as JsonObject;
  return eventFrame(framing, 'ERROR', encodeProtobuf(messageNamed('cluster.io.api.meta.v1.Status'), object));
}

function eventFrame(framing: Framing, type: string, envelope: Uint8Array): Buffer {
  const content = encodeProtobufWatchFrame(type, envelope);
  return frameOf(framing, framing === binaryFraming ? content.subarray(lengthBytes) : content);
}
