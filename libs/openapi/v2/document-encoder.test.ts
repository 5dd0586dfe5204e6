import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { documentsOfEdges } from '../test-drivers/documents-of-edges.ts';
import { documentMessage } from './document-encoder.ts';

/** Returns the single member of a oneof message. */
function chosen(message: JsonObject): JsonObject {
  const [member] = Object.values(message);
  assert.ok(isJsonObject(member) && Object.keys(message).length === 1);
  return member;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function readMap(entries: JsonValue | undefined, value: (message: JsonObject) => JsonValue): JsonObject {
  return Object.fromEntries(
    objects(entries).map(entry => [String(entry['name']), value(entry['value'] as JsonObject)]),
  );
}

function any(message: JsonObject): JsonValue {
  return JSON.parse(String(message['yaml']));
}

function without(object: JsonObject, ...keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

const schemaKeys = new Map([
  ...['format', 'description', 'required', 'title', 'maximum', 'minimum', 'pattern'].map(
    key => [key, key] as const,
  ),
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

function readSchema(message: JsonObject): JsonObject {
  const { _ref, type, items, properties, additional_properties, default: initial, enum: values } = message;
  const plain = [...schemaKeys].filter(([field]) => message[field] !== undefined);
  return {
    ...Object.fromEntries(plain.map(([field, key]) => [key, message[field]])),
    ...(_ref === undefined ? {} : { $ref: _ref }),
    ...(isJsonObject(type) ? { type: (type['value'] as JsonValue[])[0] } : {}),
    ...(isJsonObject(initial) ? { default: any(initial) } : {}),
    ...(values === undefined ? {} : { enum: objects(values).map(any) }),
    ...(isJsonObject(items) ? { items: readSchema(objects(items['schema'])[0] ?? {}) } : {}),
    ...(isJsonObject(properties)
      ? { properties: readMap(properties['additional_properties'], readSchema) }
      : {}),
    ...(isJsonObject(additional_properties)
      ? { additionalProperties: readAdditional(additional_properties) }
      : {}),
    ...readMap(message['vendor_extension'], any),
  };
}

function readAdditional({ schema, boolean }: JsonObject): JsonValue {
  return isJsonObject(schema) ? readSchema(schema) : (boolean ?? null);
}

function readParameter(item: JsonObject): JsonObject {
  const kind = chosen(chosen(item));
  const fields = 'in' in kind ? kind : chosen(kind);
  const { unique_items: uniqueItems, schema } = fields;
  return {
    ...without(fields, 'unique_items', 'schema'),
    ...(uniqueItems === undefined ? {} : { uniqueItems }),
    ...(isJsonObject(schema) ? { schema: readSchema(schema) } : {}),
  };
}

function readParameters({ parameters }: JsonObject): JsonObject {
  return parameters === undefined ? {} : { parameters: objects(parameters).map(readParameter) };
}

function readResponse(message: JsonObject): JsonObject {
  const { description, schema } = chosen(message);
  return {
    ...(description === undefined ? {} : { description }),
    ...(isJsonObject(schema) ? { schema: readSchema(chosen(schema)) } : {}),
  };
}

function readOperation(message: JsonObject): JsonObject {
  const responses = message['responses'] as JsonObject;
  return {
    ...without(message, 'operation_id', 'parameters', 'responses', 'vendor_extension'),
    operationId: message['operation_id'],
    ...readParameters(message),
    responses: readMap(responses['response_code'], readResponse),
    ...readMap(message['vendor_extension'], any),
  } as JsonObject;
}

function createPath(message: JsonObject): JsonObject {
  const operations = Object.entries(without(message, 'parameters')).map(([method, operation]) => [
    method,
    readOperation(operation as JsonObject),
  ]);
  return { ...Object.fromEntries(operations), ...readParameters(message) };
}

test('the protobuf form of the document is equivalent to its JSON form', async () => {
  const documents = documentsOfEdges();
  const expected: JsonObject = JSON.parse((await documents.v2Json()).bytes.toString());
  const message = documentMessage();
  const decoded = message.decode((await documents.v2Protobuf()).bytes);
  const value: JsonObject = message.toObject(decoded, { oneofs: false, longs: Number });
  const { spec } = (expected['definitions'] as Record<string, JsonObject>)['com.ex.v1.Widget']?.[
    'properties'
  ] as Record<string, JsonObject>;
  // The limits of the definition are present, so that the comparison is not empty.
  assert.equal((spec?.['properties'] as Record<string, JsonObject>)['text']?.['pattern'], '^a$');
  const { paths, definitions, security_definitions, security } = value as Record<string, JsonObject>;
  assert.deepEqual(readMap(paths?.['path'], createPath), expected['paths']);
  assert.deepEqual(readMap(definitions?.['additional_properties'], readSchema), expected['definitions']);
  assert.deepEqual(
    readMap(security_definitions?.['additional_properties'], chosen),
    expected['securityDefinitions'],
  );
  assert.deepEqual(
    objects(security).map(entry => readMap(entry['additional_properties'], list => list['value'] ?? [])),
    expected['security'],
  );
  assert.deepEqual([value['swagger'], value['info']], [expected['swagger'], expected['info']]);
});
