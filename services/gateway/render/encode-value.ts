import { type JsonObject, type JsonValue, writeJsonSteps } from '@binnacle/api-objects';
import { type MessageType, messageNamed, type ResourceDefinition } from '@binnacle/api-types';
import { encodeProtobuf } from '@binnacle/codecs';
import { encodeYaml, encodeYamlSteps } from '@binnacle/codecs/texts';
import { isLong, runInSlices, sharedSlices } from '@binnacle/event-loop';
import type { Representation } from './representation.ts';

/** The source of a document's protobuf form. */
type MessageSource = MessageType | Pick<ResourceDefinition, 'message'>;

/** Writes a document in the negotiated encoding; `source` gives its protobuf message. */
export function encodeValue(value: JsonValue, representation: Representation, source: MessageSource): Buffer {
  switch (representation.encoding) {
    case 'json':
      return encodeJson(value, representation.pretty);
    case 'yaml':
      return Buffer.from(encodeYaml(value));
    case 'protobuf':
      // Only objects with a kind come here: documents are not offered as protobuf.
      return encodeProtobuf(source, value as JsonObject);
  }
}

/**
 * Writes a document as `encodeValue` does, about which so many bytes are stored or were sent: in slices where they are many.
 * Protobuf and indented JSON are written in one step, which is short enough.
 */
export function encodeLongValue(
  value: JsonValue,
  bytes: number,
  { representation, source }: { readonly representation: Representation; readonly source: MessageSource },
): Buffer | Promise<Buffer> {
  if (!isLong(bytes)) return encodeValue(value, representation, source);
  return encodeInSlices(value, representation, source);
}

/** Writes a document as `encodeValue` does, in slices, after what was done before in this turn of the event loop. */
export async function encodeInSlices(
  value: JsonValue,
  representation: Representation,
  source: MessageSource,
): Promise<Buffer> {
  await sharedSlices.yield();
  if (representation.encoding === 'yaml') return Buffer.from(await runInSlices(encodeYamlSteps(value)));
  if (representation.encoding === 'protobuf' || representation.pretty)
    return encodeValue(value, representation, source);
  return Buffer.from(await runInSlices(writeJsonSteps(value)));
}

/** Writes JSON, indented and with a line end when `pretty`. */
export function encodeJson(value: unknown, pretty: boolean): Buffer {
  return Buffer.from(pretty ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value));
}

/** The protobuf message of a metadata kind. */
export function metaMessage(
  kind: 'Status' | 'PartialObjectMetadata' | 'PartialObjectMetadataList',
): MessageType {
  return messageNamed(`meta.v1.${kind}`);
}
