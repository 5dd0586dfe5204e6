import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type MessageType, messageNamed, type ResourceDefinition } from '@binnacle/api-types';
import { encodeProtobuf, encodeYaml } from '@binnacle/codecs';
import type { Representation } from '../negotiate/representation.ts';

/** What knows the protobuf form of a document. */
type MessageSource = MessageType | Pick<ResourceDefinition, 'message'>;

/** Writes a document in the negotiated encoding; `source` says what its protobuf form is. */
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

/** Writes JSON, indented and with a line end for people. */
export function encodeJson(value: unknown, pretty: boolean): Buffer {
  return Buffer.from(pretty ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value));
}

/** The protobuf message of a metadata kind. */
export function metaMessage(
  kind: 'Status' | 'PartialObjectMetadata' | 'PartialObjectMetadataList',
): MessageType {
  return messageNamed(`cluster.io.api.meta.v1.${kind}`);
}
