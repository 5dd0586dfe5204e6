import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import {
  codeDescriptions,
  type Operation,
  type Parameter,
  type PathOperations,
} from '../operations/operation.ts';
import type { Extensions } from '../parts/extensions.ts';
import { referenceTo } from '../schemas/dialect.ts';

/** Renders a path with its operations in OpenAPI v3. */
export function renderPathV3(path: PathOperations, extensions: Extensions): JsonObject {
  const operations = path.operations.map((operation): [string, JsonValue] => [
    operation.method,
    renderOperation(operation, extensions),
  ]);
  return {
    ...Object.fromEntries(operations),
    ...(path.parameters.length === 0 ? {} : { parameters: path.parameters.map(renderParameter) }),
  };
}

function renderOperation(operation: Operation, extensions: Extensions): JsonObject {
  const { body, query } = operation;
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(query.length === 0 ? {} : { parameters: query.map(renderParameter) }),
    ...(body === undefined ? {} : { requestBody: renderBody(body, operation.consumes) }),
    responses: renderResponses(operation),
    ...(operation.action === undefined ? {} : extensions.of('action', operation.action)),
    ...(operation.about === undefined ? {} : extensions.ofOperation(operation.about)),
  };
}

function renderBody(
  { message, required }: { message: string; required: boolean },
  mediaTypes: readonly string[],
): JsonObject {
  return {
    content: renderContent(mediaTypes, referenceTo(message, 'v3')),
    ...(required ? { required } : {}),
  };
}

function renderParameter({ name, in: place, type, description }: Parameter): JsonObject {
  return {
    name,
    in: place,
    description,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}

function renderResponses({ codes, content, produces }: Operation): JsonObject {
  const schema = content === 'text' ? { type: 'string' } : referenceTo(content.message, 'v3');
  const entries = codes.map((code): [string, JsonValue] => [
    String(code),
    {
      description: codeDescriptions[code] ?? '',
      ...(code < 300 ? { content: renderContent(produces, schema) } : {}),
    },
  ]);
  return Object.fromEntries(entries);
}

function renderContent(mediaTypes: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(mediaTypes.map(mediaType => [mediaType, { schema }]));
}
