import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import {
  anyMessage,
  asObjectOrEmpty,
  entryList,
  extensionMessages,
  limitFieldsFromSchema,
  type Message,
  namedEntries,
  pick,
} from '../parts/protobuf-messages.ts';

/** Converts a schema to a message. */
export function schemaMessage(schema: JsonObject): Message {
  const { $ref, type, items, properties, additionalProperties, default: initial, enum: values } = schema;
  return {
    ...pick(schema, ['format', 'description', 'required']),
    ...limitFieldsFromSchema(schema),
    ...($ref === undefined ? {} : { _ref: $ref }),
    ...(type === undefined ? {} : { type: { value: [type] } }),
    ...(initial === undefined ? {} : { default: anyMessage(initial) }),
    ...(Array.isArray(values) ? { enum: values.map(anyMessage) } : {}),
    ...(isJsonObject(items) ? { items: { schema: [schemaMessage(items)] } } : {}),
    ...(isJsonObject(properties) ? { properties: namedEntries(properties, schemaMessage) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : { additional_properties: additionalMessage(additionalProperties) }),
    vendor_extension: extensionMessages(schema),
  };
}

function additionalMessage(value: JsonValue): Message {
  return isJsonObject(value) ? { schema: schemaMessage(value) } : { boolean: value === true };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Converts a path with its operations to a message. */
export function pathMessage(item: JsonObject): Message {
  const operations = methods.flatMap(method => {
    const operation = item[method];
    return isJsonObject(operation) ? [[method, operationMessage(operation)]] : [];
  });
  return { ...Object.fromEntries(operations), parameters: parameterMessages(item) };
}

/** Converts a document without paths and definitions to a message. */
export function endsMessage(ends: JsonObject): Message {
  const security = Array.isArray(ends['security']) ? ends['security'].filter(isJsonObject) : [];
  const definitions = asObjectOrEmpty(ends['securityDefinitions']);
  return {
    ...pick(ends, ['swagger', 'info']),
    security: security.map(requirement => namedEntries(requirement, value => ({ value }))),
    security_definitions: namedEntries(definitions, value => ({ api_key_security: value })),
  };
}

function operationMessage(operation: JsonObject): Message {
  return {
    ...pick(operation, ['tags', 'description', 'produces', 'consumes', 'schemes']),
    operation_id: operation['operationId'],
    parameters: parameterMessages(operation),
    responses: { response_code: entryList(asObjectOrEmpty(operation['responses']), responseMessage) },
    vendor_extension: extensionMessages(operation),
  };
}

function responseMessage(response: JsonObject): Message {
  const { schema } = response;
  return {
    response: {
      ...pick(response, ['description']),
      ...(isJsonObject(schema) ? { schema: { schema: schemaMessage(schema) } } : {}),
    },
  };
}

function parameterMessages({ parameters }: JsonObject): Message[] {
  const list = Array.isArray(parameters) ? parameters.filter(isJsonObject) : [];
  return list.map(parameter => ({ parameter: parameterMessage(parameter) }));
}

function parameterMessage(parameter: JsonObject): Message {
  const shared = pick(parameter, ['required', 'in', 'description', 'name']);
  if (parameter['in'] === 'body')
    return { body_parameter: { ...shared, schema: schemaMessage(asObjectOrEmpty(parameter['schema'])) } };
  const fields = { ...shared, type: parameter['type'], unique_items: parameter['uniqueItems'] };
  const place = parameter['in'] === 'path' ? 'path_parameter_sub_schema' : 'query_parameter_sub_schema';
  return { non_body_parameter: { [place]: fields } };
}
