import { apiVersionOf, type ObjectMeta } from '@binnacle/api-objects';
import {
  decodeStoredMetadata,
  objectPrefix,
  type PartialObjectMetadata,
  partialMetadataFrom,
  storedMetadata,
} from '@binnacle/codecs';
import type { WatchedEvent } from '@binnacle/watch-cache';
import { metaMessage } from '../render/encode-value.ts';
import { bytesOfMetadata } from '../versions/alias-form.ts';
import { bookmarkMetadata } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { itemFrame } from './json-format.ts';
import { protobufEvents } from './protobuf-format.ts';
import { transformedFormat } from './transformed-format.ts';
import type { WatchFormat } from './watch-format.ts';

const closing = Buffer.from('}}\n');

/** Each event's object reduced to its metadata, in JSON; the stored bytes of the metadata are copied, not parsed. */
export function metadataFormat(context: FormatContext, apiVersion: string): WatchFormat {
  const { definition, alias, framing } = context;
  const transform = metadataOf(context, apiVersion);
  const format = transformedFormat(idOf(context, apiVersion), context, transform);
  const prefix = objectPrefix('PartialObjectMetadata', apiVersion);
  const event = ({ type, object, revision }: WatchedEvent): Buffer => {
    const stored = bytesOfMetadata(definition, object.stored, alias.names);
    return itemFrame(framing, type, { item: storedMetadata(stored, revision), prefix, closing });
  };
  return { ...format, encoding: { ...format.encoding, event } };
}

/** Each event's object reduced to its metadata, in protobuf; kinds that a schema describes have this form too. */
export function protobufMetadataFormat(
  context: FormatContext,
  apiVersion: string,
  mediaType: string,
): WatchFormat {
  return protobufEvents(context.framing, {
    id: `protobuf ${idOf(context, apiVersion)}`,
    mediaType,
    message: metaMessage('PartialObjectMetadata'),
    ...metadataOf(context, apiVersion),
  });
}

/** A version may keep in annotations what it has no fields for, and an alias may have other names for what metadata holds. */
function idOf({ definition, alias }: FormatContext, apiVersion: string): string {
  const form = alias.names === undefined ? apiVersionOf(definition) : alias.apiVersion;
  return `metadata ${apiVersion} ${form}`;
}

function metadataOf(context: FormatContext, apiVersion: string) {
  const { definition, alias } = context;
  return {
    event: ({ object, revision }: WatchedEvent): PartialObjectMetadata => {
      const stored = bytesOfMetadata(definition, object.stored, alias.names);
      return partialMetadataFrom({ metadata: decodeStoredMetadata(stored, revision) }, apiVersion);
    },
    bookmark: (revision: number, initialEventsEnd: boolean): PartialObjectMetadata => {
      // Nothing was created: the time of creation is null, which objects do not have.
      const metadata = bookmarkMetadata(context, { revision, initialEventsEnd }) as unknown as ObjectMeta;
      return partialMetadataFrom({ metadata }, apiVersion);
    },
  };
}
