import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@binnacle/api-objects';
import protobuf from 'protobufjs';
import { encodedElements, encodedField, encodeMessage, fieldNumber } from '../parts/protobuf-messages.ts';
import { endsMessage, pathMessage, schemaMessage } from './messages.ts';

/** Encodes the parts of a document as protobuf and joins them. */
interface DocumentEncoder {
  path(name: string, item: JsonObject): Uint8Array;
  definition(name: string, schema: JsonObject): Uint8Array;
  /** `ends` is the document without paths and definitions. */
  join(ends: JsonObject, paths: readonly Uint8Array[], definitions: readonly Uint8Array[]): Buffer;
}

const protoFile = fileURLToPath(new URL('../proto/openapi_v2.proto', import.meta.url));

/** Returns the message type of a document; reads the proto file on the first call. */
export function documentMessage(): protobuf.Type {
  root ??= new protobuf.Root().loadSync(protoFile, { keepCase: true });
  return root.lookupType('openapi.v2.Document');
}

let root: protobuf.Root | undefined;

/**
 * Creates an encoder. Paths and definitions are encoded one by one, so that no step takes long: the encoding of an element of a
 * repeated field does not depend on its position.
 */
export function createDocumentEncoder(): DocumentEncoder {
  const document = documentMessage();
  const paths = document.lookupType('Paths');
  const definitions = document.lookupType('Definitions');
  const namedPath = document.lookupType('NamedPathItem');
  const namedSchema = document.lookupType('NamedSchema');
  return {
    path: (name, item) => encodeMessage(namedPath, { name, value: pathMessage(item) }),
    definition: (name, schema) => encodeMessage(namedSchema, { name, value: schemaMessage(schema) }),
    join(ends, encodedPaths, encodedDefinitions) {
      return Buffer.concat([
        encodeMessage(document, endsMessage(ends)),
        ...encodedField(
          fieldNumber(document, 'paths'),
          encodedElements(fieldNumber(paths, 'path'), encodedPaths),
        ),
        ...encodedField(
          fieldNumber(document, 'definitions'),
          encodedElements(fieldNumber(definitions, 'additional_properties'), encodedDefinitions),
        ),
      ]);
    },
  };
}
