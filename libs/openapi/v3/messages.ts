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
  renamed,
} from '../parts/protobuf-messages.ts';

const listFields = new Map([
  ['allOf', 'all_of'],
  ['anyOf', 'any_of'],
  ['oneOf', 'one_of'],
]);

/** Converts a schema or a reference to a message. */
export function schemaOrReference(schema: JsonObject): Message {
  const { $ref } = schema;
  return $ref === undefined ? { schema: schemaMessage(schema) } : { reference: { _ref: $ref } };
}

function schemaMessage(schema: JsonObject): Message {
  const { items, properties, not, additionalProperties, default: initial, enum: values } = schema;
  return {
    ...pick(schema, ['nullable', 'required', 'type', 'description', 'format']),
    ...limitFieldsFromSchema(schema),
    ...renamed(schema, listFields, value => objectsIn(value).map(schemaOrReference)),
    ...(initial === undefined ? {} : { default: defaultMessage(initial) }),
    ...(Array.isArray(values) ? { enum: values.map(anyMessage) } : {}),
    ...(isJsonObject(items) ? { items: { schema_or_reference: [schemaOrReference(items)] } } : {}),
    ...(isJsonObject(properties) ? { properties: namedEntries(properties, schemaOrReference) } : {}),
    ...(isJsonObject(not) ? { not: schemaMessage(not) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : { additional_properties: additionalMessage(additionalProperties) }),
    specification_extension: extensionMessages(schema),
  };
}

function additionalMessage(value: JsonValue): Message {
  return isJsonObject(value)
    ? { schema_or_reference: schemaOrReference(value) }
    : { boolean: value === true };
}

function defaultMessage(value: JsonValue): Message {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return { number: Number(value) };
    case 'boolean':
      return { boolean: value };
    case 'string':
      return { string: value };
    default:
      return {};
  }
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

/** Converts a document without paths and schemas to a message. */
export function endsMessage(ends: JsonObject): Message {
  const security = objectsIn(ends['security']);
  return {
    ...pick(ends, ['openapi', 'info']),
    security: security.map(requirement => namedEntries(requirement, value => ({ value }))),
  };
}

/** Converts the security schemes to a message. */
export function securitySchemesMessage(schemes: JsonObject): Message {
  return namedEntries(schemes, value => ({ security_scheme: value }));
}

function operationMessage(operation: JsonObject): Message {
  const { requestBody, operationId } = operation;
  return {
    ...pick(operation, ['tags', 'description']),
    operation_id: operationId,
    parameters: parameterMessages(operation),
    ...(isJsonObject(requestBody)
      ? {
          request_body: {
            request_body: { ...pick(requestBody, ['required']), content: contentMessage(requestBody) },
          },
        }
      : {}),
    responses: { response_or_reference: entryList(asObjectOrEmpty(operation['responses']), responseMessage) },
    specification_extension: extensionMessages(operation),
  };
}

function responseMessage(response: JsonObject): Message {
  return {
    response: {
      ...pick(response, ['description']),
      ...(response['content'] === undefined ? {} : { content: contentMessage(response) }),
    },
  };
}

function contentMessage({ content }: JsonObject): Message {
  return namedEntries(asObjectOrEmpty(content), ({ schema }) => ({
    schema: schemaOrReference(asObjectOrEmpty(schema)),
  }));
}

function parameterMessages({ parameters }: JsonObject): Message[] {
  return objectsIn(parameters).map(parameter => ({
    parameter: {
      ...pick(parameter, ['name', 'in', 'description', 'required']),
      schema: schemaOrReference(asObjectOrEmpty(parameter['schema'])),
    },
  }));
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
