import { apiVersionOf, type ObjectMeta } from '@binnacle/api-objects';
import { decodeStoredMetadata, type PartialObjectMetadata, partialMetadataFrom } from '@binnacle/codecs';
import type { WatchedEvent } from '@binnacle/watch-cache';
import { metaMessage } from '../render/encode-value.ts';
import { bytesShown } from '../versions/alias-form.ts';
import { bookmarkMetadata } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { protobufEvents } from './protobuf-format.ts';
import { transformedFormat } from './transformed-format.ts';
import type { WatchFormat } from './watch-format.ts';

/** Each event's object reduced to its metadata, in JSON. */
export function metadataFormat(context: FormatContext, apiVersion: string): WatchFormat {
  return transformedFormat(idOf(context, apiVersion), context, metadataOf(context, apiVersion));
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
function idOf({ definition, spelling }: FormatContext, apiVersion: string): string {
  const form = spelling.names === undefined ? apiVersionOf(definition) : spelling.apiVersion;
  return `metadata ${apiVersion} ${form}`;
}

function metadataOf(context: FormatContext, apiVersion: string) {
  const { definition, spelling } = context;
  return {
    event: ({ object, revision }: WatchedEvent): PartialObjectMetadata => {
      const stored = bytesShown(definition, object.stored, spelling.names);
      return partialMetadataFrom({ metadata: decodeStoredMetadata(stored, revision) }, apiVersion);
    },
    bookmark: (revision: number, initialEventsEnd: boolean): PartialObjectMetadata => {
      // Nothing was created: the time of creation is null, which objects do not have.
      const metadata = bookmarkMetadata(context, { revision, initialEventsEnd }) as unknown as ObjectMeta;
      return partialMetadataFrom({ metadata }, apiVersion);
    },
  };
}
