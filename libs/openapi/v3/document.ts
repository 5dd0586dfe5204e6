import { type OpenApiDocument, openApiDocumentFrom } from '../context/openapi-document.ts';
import type { SpecContext } from '../context/spec-context.ts';
import type { ApiPart } from '../operations/operation.ts';
import { inSlices } from '../parts/in-slices.ts';
import { type JsonMember, joinJson } from '../parts/join-json.ts';
import { definitionName } from '../schemas/definition-name.ts';
import { definitionSchema } from '../schemas/definition-schema.ts';
import { renderPathV3 } from './render-path.ts';

/** The OpenAPI v3 document of one part of the API. */
export async function writePartDocument(part: ApiPart, context: SpecContext): Promise<OpenApiDocument> {
  const schemas = context.schemas('v3');
  const paths = await inSlices(part.paths, (path): JsonMember => {
    return [path.path, JSON.stringify(renderPathV3(path, context.extensions))];
  });
  const definitions = await inSlices(context.definitionsFor(part.paths), (message): JsonMember => {
    return [definitionName(message.fullName), JSON.stringify(definitionSchema(message, schemas))];
  });
  const securitySchemes = JSON.stringify({
    BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'A bearer token.' },
  });
  const components: JsonMember[] = [
    ...(definitions.length === 0 ? [] : [['schemas', joinJson(definitions)] as const]),
    ['securitySchemes', securitySchemes],
  ];
  const text = joinJson([
    ['openapi', '"3.0.0"'],
    ['info', JSON.stringify({ title: 'Binnacle', version: context.serverVersion })],
    ['paths', joinJson(paths)],
    ['components', joinJson(components)],
    ['security', JSON.stringify([{ BearerToken: [] }])],
  ]);
  return openApiDocumentFrom(Buffer.from(text));
}

/** Where a client finds the document of a part; the hash changes with what it says. */
export function partDocumentUrl(path: string, document: OpenApiDocument): string {
  return `/openapi/v3/${path}?hash=${document.hash}`;
}

/** The document that lists the documents of all parts. */
export function writeIndexDocument(documents: ReadonlyMap<string, OpenApiDocument>): OpenApiDocument {
  const entries = [...documents].map(([path, document]) => [
    path,
    { serverRelativeURL: partDocumentUrl(path, document) },
  ]);
  return openApiDocumentFrom(Buffer.from(JSON.stringify({ paths: Object.fromEntries(entries) })));
}
