import type { JsonObject } from '@binnacle/api-objects';
import type { SpecContext } from '../context/spec-context.ts';
import { inSlices } from '../parts/in-slices.ts';
import { type JsonMember, joinJson } from '../parts/join-json.ts';
import { definitionName } from '../schemas/definition-name.ts';
import { definitionSchema } from '../schemas/definition-schema.ts';
import { createDocumentEncoder } from './document-encoder.ts';
import { renderPathV2 } from './render-path.ts';

/** The start of the document, before its paths. */
function documentHead(serverVersion: string): {
  swagger: string;
  info: { title: string; version: string };
} {
  return { swagger: '2.0', info: { title: 'Binnacle', version: serverVersion } };
}

/** The end of the document, after its definitions: clients authenticate with a bearer token or a certificate. */
const documentEnd = {
  securityDefinitions: {
    BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'A bearer token.' },
  },
  security: [{ BearerToken: [] }],
} as const satisfies JsonObject;

/** Writes the OpenAPI v2 document as JSON. */
export async function writeDocumentJson(context: SpecContext): Promise<Buffer> {
  const schemas = context.schemas('v2');
  const paths = context.parts.flatMap(part => part.paths);
  const pathMembers = await inSlices(paths, (path): JsonMember => {
    return [path.path, JSON.stringify(renderPathV2(path, context.extensions))];
  });
  const definitionMembers = await inSlices(context.definitionsFor(paths), (message): JsonMember => {
    return [definitionName(message.fullName), JSON.stringify(definitionSchema(message, schemas))];
  });
  const members: JsonMember[] = [
    ...renderMembers(documentHead(context.serverVersion)),
    ['paths', joinJson(pathMembers)],
    ['definitions', joinJson(definitionMembers)],
    ...renderMembers(documentEnd),
  ];
  return Buffer.from(joinJson(members));
}

/** Writes the OpenAPI v2 document as a protobuf message, for clients that do not accept JSON. */
export async function writeDocumentProtobuf(context: SpecContext): Promise<Buffer> {
  const encoder = createDocumentEncoder();
  const schemas = context.schemas('v2');
  const paths = context.parts.flatMap(part => part.paths);
  const encodedPaths = await inSlices(paths, path =>
    encoder.path(path.path, renderPathV2(path, context.extensions)),
  );
  const encodedDefinitions = await inSlices(context.definitionsFor(paths), message =>
    encoder.definition(definitionName(message.fullName), definitionSchema(message, schemas)),
  );
  const ends = { ...documentHead(context.serverVersion), ...documentEnd };
  return encoder.join(ends, encodedPaths, encodedDefinitions);
}

function renderMembers(object: JsonObject): JsonMember[] {
  return Object.entries(object).map(([key, value]) => [key, JSON.stringify(value)]);
}
