import type { JsonObject } from '@binnacle/api-objects';
import type { MessageType } from '@binnacle/api-types';
import { type ProtobufWatchEvent, writeProtobufWatchEvent } from '@binnacle/codecs';
import { metaMessage } from '../render/encode-value.ts';
import { objectShown } from '../versions/alias-form.ts';
import type { VersionBytes } from '../versions/kept-forms.ts';
import { bookmarkObject } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import type { Framing } from './framing/framing.ts';
import { binaryFraming } from './framing/web-socket-framing.ts';
import type { EventFormat } from './watch-format.ts';

/** Protobuf frames of whole objects. */
export function protobufFormat(context: FormatContext, mediaType: string): EventFormat<VersionBytes> {
  const { definition, alias, framing } = context;
  return protobufEvents(framing, {
    id: `protobuf ${alias.apiVersion}`,
    mediaType,
    message: definition.message,
    event: (stored, revision) => ({
      ...objectShown(definition, { stored, revision }, { names: alias.names, encoding: 'protobuf' }),
      apiVersion: alias.apiVersion,
    }),
    bookmark: (revision, initialEventsEnd) => bookmarkObject(context, { revision, initialEventsEnd }),
  });
}

/** Options of protobuf events. */
interface ProtobufEvents<Bytes> {
  /** Differs between formats that give different bytes. */
  readonly id: string;
  /** The media type as the client wrote it. */
  readonly mediaType: string;
  /** The message of the objects in events and bookmarks. */
  readonly message: MessageType;
  event(bytes: Bytes, revision: number): JsonObject;
  bookmark(revision: number, initialEventsEnd: boolean): JsonObject;
}

/** Protobuf frames: four bytes of length, then a WatchEvent whose object is in its envelope (as kube-apiserver writes them). */
export function protobufEvents<Bytes extends Buffer>(
  framing: Framing,
  events: ProtobufEvents<Bytes>,
): EventFormat<Bytes> {
  const { id, mediaType, message } = events;
  return {
    contentType: `${mediaType};stream=watch`,
    id: `${id} ${framing.id}`,
    event: (type, bytes, revision) =>
      eventFrame(framing, { type, message, object: events.event(bytes, revision) }),
    bookmark: (revision, initialEventsEnd) => {
      const object = events.bookmark(revision, initialEventsEnd);
      return eventFrame(framing, { type: 'BOOKMARK', message, object });
    },
    error: status => {
      // A Status is JSON, whatever its interface leaves open.
      const object = status as unknown as JsonObject;
      return eventFrame(framing, { type: 'ERROR', message: metaMessage('Status'), object });
    },
  };
}

function eventFrame(framing: Framing, event: ProtobufWatchEvent): Buffer {
  // A WebSocket message has a length of its own.
  return writeProtobufWatchEvent(event, framing !== binaryFraming, size => framing.open(size));
}
