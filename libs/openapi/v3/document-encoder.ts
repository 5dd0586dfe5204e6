import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@binnacle/api-objects';
import protobuf from 'protobufjs';
import { encodedElements, encodedField, encodeMessage, fieldNumber } from '../parts/protobuf-messages.ts';
import { endsMessage, pathMessage, schemaOrReference, securitySchemesMessage } from './messages.ts';

/** Encodes the parts of the document of one API part as protobuf and joins them. */
interface PartEncoder {
  path(name: string, item: JsonObject): Uint8Array;
  schema(name: string, schema: JsonObject): Uint8Array;
  /** `ends` is the document without paths and components. */
  join(
    ends: JsonObject,
    securitySchemes: JsonObject,
    pieces: { readonly paths: readonly Uint8Array[]; readonly schemas: readonly Uint8Array[] },
  ): Buffer;
}

const protoFile = fileURLToPath(new URL('../proto/openapi_v3.proto', import.meta.url));

/** Returns the message type of a document; reads the proto file on the first call. */
export function partMessage(): protobuf.Type {
  root ??= new protobuf.Root().loadSync(protoFile, { keepCase: true });
  return root.lookupType('openapi.v3.Document');
}

let root: protobuf.Root | undefined;

/** Creates an encoder. Paths and schemas are encoded one by one, so that no step takes long. */
export function createPartEncoder(): PartEncoder {
  const document = partMessage();
  const [components, paths, schemas] = ['Components', 'Paths', 'SchemasOrReferences'].map(name =>
    document.lookupType(name),
  );
  if (!components || !paths || !schemas) throw new Error(`${protoFile} lacks a part of the document`);
  const namedPath = document.lookupType('NamedPathItem');
  const namedSchema = document.lookupType('NamedSchemaOrReference');
  return {
    path: (name, item) => encodeMessage(namedPath, { name, value: pathMessage(item) }),
    schema: (name, schema) => encodeMessage(namedSchema, { name, value: schemaOrReference(schema) }),
    join(ends, securitySchemes, pieces) {
      const elements = encodedElements(fieldNumber(schemas, 'additional_properties'), pieces.schemas);
      const security = encodeMessage(components, {
        security_schemes: securitySchemesMessage(securitySchemes),
      });
      return Buffer.concat([
        encodeMessage(document, endsMessage(ends)),
        ...encodedField(
          fieldNumber(document, 'paths'),
          encodedElements(fieldNumber(paths, 'path'), pieces.paths),
        ),
        ...encodedField(fieldNumber(document, 'components'), [
          ...(elements.length === 0 ? [] : encodedField(fieldNumber(components, 'schemas'), elements)),
          security,
        ]),
      ]);
    },
  };
}
