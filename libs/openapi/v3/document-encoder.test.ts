import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { documentsOfEdges } from '../test-drivers/documents-of-edges.ts';
import { partMessage } from './document-encoder.ts';

const documents = documentsOfEdges();

for (const path of documents.v3Paths())
  test(`the protobuf form of ${path} is equivalent to its JSON form`, async () => {
    const part = await documents.v3Part(path);
    assert.ok(part);
    const message = partMessage();
    const decoded = message.decode((await part.protobuf()).bytes);
    const value: JsonObject = message.toObject(decoded, { oneofs: false, longs: Number });
    const expected: JsonObject = JSON.parse(part.document.bytes.toString(), withoutDefaultObjects);
    const { paths, components, security } = value as Record<string, JsonObject>;
    const { schemas, securitySchemes } = createObject(expected['components']);
    assert.deepEqual(readMap(paths?.['path'], createPath), expected['paths']);
    assert.deepEqual(readMap(readEntries(components?.['schemas']), schemaInUse), schemas ?? {});
    assert.deepEqual(readMap(readEntries(components?.['security_schemes']), chosen), securitySchemes);
    assert.deepEqual(
      objects(security).map(one => readMap(readEntries(one), list => list['value'] ?? [])),
      expected['security'],
    );
    assert.deepEqual([value['openapi'], value['info']], [expected['openapi'], expected['info']]);
  });

/** Empties defaults that are objects, which the message cannot represent. A member named default has a description. */
function withoutDefaultObjects(key: string, value: JsonValue): JsonValue {
  return key === 'default' && isJsonObject(value) && value['description'] === undefined ? {} : value;
}

const schemaKeys = new Map([
  ['multiple_of', 'multipleOf'],
  ['exclusive_maximum', 'exclusiveMaximum'],
  ['exclusive_minimum', 'exclusiveMinimum'],
  ['max_length', 'maxLength'],
  ['min_length', 'minLength'],
  ['max_items', 'maxItems'],
  ['min_items', 'minItems'],
  ['unique_items', 'uniqueItems'],
  ['max_properties', 'maxProperties'],
  ['min_properties', 'minProperties'],
]);

/** Reads a schema or reference. */
function schemaInUse({ schema, reference }: JsonObject): JsonObject {
  return isJsonObject(reference) ? { $ref: reference['_ref'] ?? '' } : readSchema(createObject(schema));
}

function readSchema(message: JsonObject): JsonObject {
  const entries = Object.entries(message).flatMap(([field, value = null]): [string, JsonValue][] => {
    switch (field) {
      case 'all_of':
        return [['allOf', objects(value).map(schemaInUse)]];
      case 'any_of':
        return [['anyOf', objects(value).map(schemaInUse)]];
      case 'one_of':
        return [['oneOf', objects(value).map(schemaInUse)]];
      case 'not':
        return [['not', readSchema(createObject(value))]];
      case 'items':
        return [['items', schemaInUse(objects(createObject(value)['schema_or_reference'])[0] ?? {})]];
      case 'properties':
        return [['properties', readMap(readEntries(value), schemaInUse)]];
      case 'additional_properties':
        return [['additionalProperties', readAdditional(createObject(value))]];
      case 'default':
        return [['default', Object.values(createObject(value))[0] ?? {}]];
      case 'enum':
        return [['enum', objects(value).map(any)]];
      case 'specification_extension':
        return Object.entries(readMap(value, any)).map(([name, one]) => [name, one ?? null]);
      default:
        return [[schemaKeys.get(field) ?? field, value]];
    }
  });
  return Object.fromEntries(entries);
}

function readAdditional({ schema_or_reference: schema, boolean }: JsonObject): JsonValue {
  return isJsonObject(schema) ? schemaInUse(schema) : (boolean ?? null);
}

function createPath(message: JsonObject): JsonObject {
  const { parameters, ...operations } = message;
  const entries = Object.entries(operations).map(([method, one]): [string, JsonValue] => [
    method,
    readOperation(createObject(one)),
  ]);
  return { ...Object.fromEntries(entries), ...readParameters(parameters) };
}

function readOperation(message: JsonObject): JsonObject {
  const { tags, description, operation_id: operationId, parameters, request_body: body, responses } = message;
  return {
    ...defined({ tags, description, operationId }),
    ...readParameters(parameters),
    ...(isJsonObject(body) ? { requestBody: withContent(chosen(body)) } : {}),
    responses: readMap(createObject(responses)['response_or_reference'], response =>
      withContent(chosen(response)),
    ),
    ...readMap(message['specification_extension'], any),
  };
}

function readParameters(list: JsonValue | undefined): JsonObject {
  if (list === undefined) return {};
  const parameters = objects(list).map(item => {
    const { schema, ...rest } = chosen(item);
    return { ...rest, schema: schemaInUse(createObject(schema)) };
  });
  return { parameters };
}

function withContent({ content, ...rest }: JsonObject): JsonObject {
  if (content === undefined) return rest;
  const byType = readMap(readEntries(content), ({ schema }) => ({
    schema: schemaInUse(createObject(schema)),
  }));
  return { ...rest, content: byType };
}

function chosen(message: JsonObject): JsonObject {
  const [member] = Object.values(message);
  assert.ok(isJsonObject(member) && Object.keys(message).length === 1);
  return member;
}

function readEntries(message: JsonValue | undefined): JsonValue {
  return createObject(message)['additional_properties'] ?? [];
}

function readMap(entries: JsonValue | undefined, value: (message: JsonObject) => JsonValue): JsonObject {
  return Object.fromEntries(
    objects(entries).map(entry => [String(entry['name']), value(createObject(entry['value']))]),
  );
}

function any(message: JsonObject): JsonValue {
  return JSON.parse(String(message['yaml']));
}

function defined(object: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] =>
    value === undefined ? [] : [[key, value]],
  );
  return Object.fromEntries(entries);
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function createObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
