import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { documentsOfEdges } from '../test-drivers/documents-of-edges.ts';
import { partMessage } from './document-encoder.ts';

const documents = documentsOfEdges();

for (const path of documents.v3Paths())
  test(`the protobuf form of ${path} says what its JSON form says`, async () => {
    const part = await documents.v3Part(path);
    assert.ok(part);
    const message = partMessage();
    const decoded = message.decode((await part.protobuf()).bytes);
    const value: JsonObject = message.toObject(decoded, { oneofs: false, longs: Number });
    const expected: JsonObject = JSON.parse(part.document.bytes.toString(), withoutDefaultObjects);
    const { paths, components, security } = value as Record<string, JsonObject>;
    const { schemas, securitySchemes } = objectOf(expected['components']);
    assert.deepEqual(mapOf(paths?.['path'], pathOf), expected['paths']);
    assert.deepEqual(mapOf(entriesOf(components?.['schemas']), schemaInUse), schemas ?? {});
    assert.deepEqual(mapOf(entriesOf(components?.['security_schemes']), chosen), securitySchemes);
    assert.deepEqual(
      objects(security).map(one => mapOf(entriesOf(one), list => list['value'] ?? [])),
      expected['security'],
    );
    assert.deepEqual([value['openapi'], value['info']], [expected['openapi'], expected['info']]);
  });

/** The message has no form for a default that is an object: it is empty there. A member called default has a description. */
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

/** A schema where it is used. */
function schemaInUse({ schema, reference }: JsonObject): JsonObject {
  return isJsonObject(reference) ? { $ref: reference['_ref'] ?? '' } : schemaOf(objectOf(schema));
}

function schemaOf(message: JsonObject): JsonObject {
  const entries = Object.entries(message).flatMap(([field, value = null]): [string, JsonValue][] => {
    switch (field) {
      case 'all_of':
        return [['allOf', objects(value).map(schemaInUse)]];
      case 'any_of':
        return [['anyOf', objects(value).map(schemaInUse)]];
      case 'one_of':
        return [['oneOf', objects(value).map(schemaInUse)]];
      case 'not':
        return [['not', schemaOf(objectOf(value))]];
      case 'items':
        return [['items', schemaInUse(objects(objectOf(value)['schema_or_reference'])[0] ?? {})]];
      case 'properties':
        return [['properties', mapOf(entriesOf(value), schemaInUse)]];
      case 'additional_properties':
        return [['additionalProperties', additionalOf(objectOf(value))]];
      case 'default':
        return [['default', Object.values(objectOf(value))[0] ?? {}]];
      case 'enum':
        return [['enum', objects(value).map(any)]];
      case 'specification_extension':
        return Object.entries(mapOf(value, any)).map(([name, one]) => [name, one ?? null]);
      default:
        return [[schemaKeys.get(field) ?? field, value]];
    }
  });
  return Object.fromEntries(entries);
}

function additionalOf({ schema_or_reference: schema, boolean }: JsonObject): JsonValue {
  return isJsonObject(schema) ? schemaInUse(schema) : (boolean ?? null);
}

function pathOf(message: JsonObject): JsonObject {
  const { parameters, ...operations } = message;
  const entries = Object.entries(operations).map(([method, one]): [string, JsonValue] => [
    method,
    operationOf(objectOf(one)),
  ]);
  return { ...Object.fromEntries(entries), ...parametersOf(parameters) };
}

function operationOf(message: JsonObject): JsonObject {
  const { tags, description, operation_id: operationId, parameters, request_body: body, responses } = message;
  return {
    ...defined({ tags, description, operationId }),
    ...parametersOf(parameters),
    ...(isJsonObject(body) ? { requestBody: withContent(chosen(body)) } : {}),
    responses: mapOf(objectOf(responses)['response_or_reference'], response => withContent(chosen(response))),
    ...mapOf(message['specification_extension'], any),
  };
}

function parametersOf(list: JsonValue | undefined): JsonObject {
  if (list === undefined) return {};
  const parameters = objects(list).map(item => {
    const { schema, ...rest } = chosen(item);
    return { ...rest, schema: schemaInUse(objectOf(schema)) };
  });
  return { parameters };
}

function withContent({ content, ...rest }: JsonObject): JsonObject {
  if (content === undefined) return rest;
  const byType = mapOf(entriesOf(content), ({ schema }) => ({ schema: schemaInUse(objectOf(schema)) }));
  return { ...rest, content: byType };
}

function chosen(message: JsonObject): JsonObject {
  const [member] = Object.values(message);
  assert.ok(isJsonObject(member) && Object.keys(message).length === 1);
  return member;
}

function entriesOf(message: JsonValue | undefined): JsonValue {
  return objectOf(message)['additional_properties'] ?? [];
}

function mapOf(entries: JsonValue | undefined, value: (message: JsonObject) => JsonValue): JsonObject {
  return Object.fromEntries(
    objects(entries).map(entry => [String(entry['name']), value(objectOf(entry['value']))]),
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

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
