import type { JsonObject } from '@binnacle/api-objects';
import { type OpenApiDocument, openApiDocumentFrom } from '../context/openapi-document.ts';
import type { SpecContext } from '../context/spec-context.ts';
import type { ApiPart } from '../operations/operation.ts';
import { inSlices } from '../parts/in-slices.ts';
import { type JsonMember, joinJson } from '../parts/join-json.ts';
import { definitionName } from '../schemas/definition-name.ts';
import { definitionSchema } from '../schemas/definition-schema.ts';
import { createPartEncoder } from './document-encoder.ts';
import { renderPathV3 } from './render-path.ts';

/** The document without paths and components. */
function documentEnds(serverVersion: string) {
  return {
    openapi: '3.0.0',
    info: { title: 'Binnacle', version: serverVersion },
    security: [{ BearerToken: [] }],
  } as const satisfies JsonObject;
}

const securitySchemes = {
  BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'A bearer token.' },
} as const satisfies JsonObject;

/** Writes the OpenAPI v3 document of one part of the API. */
export async function writePartDocument(part: ApiPart, context: SpecContext): Promise<OpenApiDocument> {
  const schemas = context.schemas('v3');
  const paths = await inSlices(part.paths, (path): JsonMember => {
    return [path.path, JSON.stringify(renderPathV3(path, context.extensions))];
  });
  const definitions = await inSlices(context.definitionsFor(part.paths), (message): JsonMember => {
    return [definitionName(message.fullName), JSON.stringify(definitionSchema(message, schemas))];
  });
  const components: JsonMember[] = [
    ...(definitions.length === 0 ? [] : [['schemas', joinJson(definitions)] as const]),
    ['securitySchemes', JSON.stringify(securitySchemes)],
  ];
  const { openapi, info, security } = documentEnds(context.serverVersion);
  const text = joinJson([
    ['openapi', JSON.stringify(openapi)],
    ['info', JSON.stringify(info)],
    ['paths', joinJson(paths)],
    ['components', joinJson(components)],
    ['security', JSON.stringify(security)],
  ]);
  return openApiDocumentFrom(Buffer.from(text));
}

/** Writes the OpenAPI v3 document of one part of the API as a protobuf message. */
export async function writePartProtobuf(part: ApiPart, context: SpecContext): Promise<OpenApiDocument> {
  const encoder = createPartEncoder();
  const dialect = context.schemas('v3');
  const paths = await inSlices(part.paths, path =>
    encoder.path(path.path, renderPathV3(path, context.extensions)),
  );
  const schemas = await inSlices(context.definitionsFor(part.paths), message =>
    encoder.schema(definitionName(message.fullName), definitionSchema(message, dialect)),
  );
  const ends = documentEnds(context.serverVersion);
  return openApiDocumentFrom(encoder.join(ends, securitySchemes, { paths, schemas }));
}

/** Returns the URL of a part's document, with its hash. */
export function partDocumentUrl(path: string, document: OpenApiDocument): string {
  return `/openapi/v3/${path}?hash=${document.hash}`;
}

/** Writes the document that lists the documents of all parts. */
export function writeIndexDocument(documents: ReadonlyMap<string, OpenApiDocument>): OpenApiDocument {
  const entries = [...documents].map(([path, document]) => [
    path,
    { serverRelativeURL: partDocumentUrl(path, document) },
  ]);
  return openApiDocumentFrom(Buffer.from(JSON.stringify({ paths: Object.fromEntries(entries) })));
}
