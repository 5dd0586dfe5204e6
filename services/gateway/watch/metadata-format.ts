import { formatApiVersion, type ObjectMeta } from '@binnacle/api-objects';
import {
  type MetadataBytes,
  objectPrefix,
  type PartialObjectMetadata,
  partialMetadataFrom,
  storedMetadata,
} from '@binnacle/codecs';
import { metaMessage } from '../render/encode-value.ts';
import { partialFrom } from '../render/render-list.ts';
import { bookmarkMetadata } from './bookmark-object.ts';
import type { FormatContext } from './format-context.ts';
import { itemFrame } from './json-format.ts';
import { protobufEvents } from './protobuf-format.ts';
import { transformedFormat } from './transformed-format.ts';
import type { EventFormat } from './watch-format.ts';

const closing = Buffer.from('}}\n');

/** Each event's object reduced to its metadata, in JSON; the stored bytes of the metadata are copied, not parsed. */
export function metadataFormat(context: FormatContext, apiVersion: string): EventFormat<MetadataBytes> {
  const { framing } = context;
  const transform = createMetadata(context, apiVersion);
  const prefix = objectPrefix('PartialObjectMetadata', apiVersion);
  return {
    ...transformedFormat(formatId(context, apiVersion), context, transform),
    event: (type, bytes, revision) =>
      itemFrame(framing, type, { item: storedMetadata(bytes, revision), prefix, closing }),
  };
}

/** Each event's object reduced to its metadata, in protobuf; kinds that a schema describes have this form too. */
export function protobufMetadataFormat(
  context: FormatContext,
  apiVersion: string,
  mediaType: string,
): EventFormat<MetadataBytes> {
  return protobufEvents(context.framing, {
    id: `protobuf ${formatId(context, apiVersion)}`,
    mediaType,
    message: metaMessage('PartialObjectMetadata'),
    ...createMetadata(context, apiVersion),
  });
}

/**
 * The id of the format, which names version and alias: a version may keep fields in annotations, and an alias may have
 * other names in metadata.
 */
function formatId({ definition, alias }: FormatContext, apiVersion: string): string {
  const form = alias.names === undefined ? formatApiVersion(definition) : alias.apiVersion;
  return `metadata ${apiVersion} ${form}`;
}

function createMetadata(context: FormatContext, apiVersion: string) {
  return {
    event: (bytes: MetadataBytes, revision: number): PartialObjectMetadata =>
      partialFrom(bytes, revision, apiVersion),
    bookmark: (revision: number, initialEventsEnd: boolean): PartialObjectMetadata => {
      // Nothing was created: the time of creation is null, which objects do not have.
      const metadata = bookmarkMetadata(context, { revision, initialEventsEnd }) as unknown as ObjectMeta;
      return partialMetadataFrom({ metadata }, apiVersion);
    },
  };
}
