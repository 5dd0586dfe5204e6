import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import {
  codeDescriptions,
  type Operation,
  type Parameter,
  type PathOperations,
} from '../operations/operation.ts';
import type { Extensions } from '../parts/extensions.ts';
import { referenceTo } from '../schemas/dialect.ts';

/** Renders a path with its operations in OpenAPI v2. */
export function renderPathV2(path: PathOperations, extensions: Extensions): JsonObject {
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
  const { body, query, consumes, produces } = operation;
  const parameters = [...(body ? [renderBody(body)] : []), ...query.map(renderParameter)];
  return {
    description: operation.description,
    ...(consumes.length === 0 ? {} : { consumes: [...consumes] }),
    ...(produces.length === 0 ? {} : { produces: [...produces] }),
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.id,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: renderResponses(operation),
    ...(operation.action === undefined ? {} : extensions.of('action', operation.action)),
    ...(operation.about === undefined ? {} : extensions.ofOperation(operation.about)),
  };
}

function renderBody({ message, required }: { message: string; required: boolean }): JsonObject {
  return {
    name: 'body',
    in: 'body',
    ...(required ? { required } : {}),
    schema: referenceTo(message, 'v2'),
  };
}

function renderParameter({ name, in: place, type, description }: Parameter): JsonObject {
  return {
    name,
    in: place,
    type,
    description,
    uniqueItems: true,
    ...(place === 'path' ? { required: true } : {}),
  };
}

function renderResponses({ codes, content }: Operation): JsonObject {
  const schema = content === 'text' ? { type: 'string' } : referenceTo(content.message, 'v2');
  const entries = codes.map((code): [string, JsonValue] => [
    String(code),
    { description: codeDescriptions[code] ?? '', ...(code < 300 ? { schema } : {}) },
  ]);
  return Object.fromEntries(entries);
}
