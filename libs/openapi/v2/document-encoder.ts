import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@binnacle/api-objects';
import protobuf from 'protobufjs';
import { endsMessage, pathMessage, schemaMessage } from './messages.ts';

/** Turns the pieces of a document into protobuf, and joins them. */
interface DocumentEncoder {
  path(name: string, item: JsonObject): Uint8Array;
  definition(name: string, schema: JsonObject): Uint8Array;
  /** `ends` is what the document has besides its paths and definitions. */
  join(ends: JsonObject, paths: readonly Uint8Array[], definitions: readonly Uint8Array[]): Buffer;
}

const protoFile = fileURLToPath(new URL('../proto/openapi_v2.proto', import.meta.url));

/** The message of a document; the proto file is read on the first call. */
export function documentMessage(): protobuf.Type {
  root ??= new protobuf.Root().loadSync(protoFile, { keepCase: true });
  return root.lookupType('openapi.v2.Document');
}

let root: protobuf.Root | undefined;

/**
 * Creates an encoder. Paths and definitions are encoded one by one, so that no step of it takes long: an element of a
 * repeated field is the same bytes wherever it stands.
 */
export function createDocumentEncoder(): DocumentEncoder {
  const document = documentMessage();
  const { paths, definitions } = document.fields;
  const namedPath = document.lookupType('NamedPathItem');
  const namedSchema = document.lookupType('NamedSchema');
  return {
    path: (name, item) => encode(namedPath, { name, value: pathMessage(item) }),
    definition: (name, schema) => encode(namedSchema, { name, value: schemaMessage(schema) }),
    join(ends, encodedPaths, encodedDefinitions) {
      const pathField = document.lookupType('Paths').fields['path'];
      const definitionField = document.lookupType('Definitions').fields['additional_properties'];
      return Buffer.concat([
        encode(document, endsMessage(ends)),
        ...wrapped(numberOf(paths), numberOf(pathField), encodedPaths),
        ...wrapped(numberOf(definitions), numberOf(definitionField), encodedDefinitions),
      ]);
    },
  };
}

function encode(type: protobuf.Type, message: object): Uint8Array {
  return type.encode(message).finish();
}

function numberOf(field: protobuf.Field | undefined): number {
  if (!field) throw new Error(`${protoFile} lacks a field of the document`);
  return field.id;
}

/** A message field that holds nothing but elements of one repeated message field. */
function wrapped(outer: number, inner: number, elements: readonly Uint8Array[]): Uint8Array[] {
  const parts = elements.flatMap(element => [lengthPrefix(inner, element.length), element]);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [lengthPrefix(outer, length), ...parts];
}

const lengthDelimited = 2;

function lengthPrefix(field: number, length: number): Uint8Array {
  return protobuf.Writer.create()
    .uint32(field * 8 + lengthDelimited)
    .uint32(length)
    .finish();
}
