import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';

/** A message as protobufjs takes it. */
type Message = Readonly<Record<string, unknown>>;

/** The message of a schema. */
export function schemaMessage(schema: JsonObject): Message {
  const { $ref, type, items, properties, additionalProperties, default: initial, enum: values } = schema;
  return {
    ...pick(schema, ['format', 'description', 'required']),
    ...($ref === undefined ? {} : { _ref: $ref }),
    ...(type === undefined ? {} : { type: { value: [type] } }),
    ...(initial === undefined ? {} : { default: anyMessage(initial) }),
    ...(Array.isArray(values) ? { enum: values.map(anyMessage) } : {}),
    ...(isJsonObject(items) ? { items: { schema: [schemaMessage(items)] } } : {}),
    ...(isJsonObject(properties) ? { properties: named(properties, schemaMessage) } : {}),
    ...(isJsonObject(additionalProperties)
      ? { additional_properties: { schema: schemaMessage(additionalProperties) } }
      : {}),
    vendor_extension: extensionsOf(schema),
  };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** The message of a path with its operations. */
export function pathMessage(item: JsonObject): Message {
  const operations = methods.flatMap(method => {
    const operation = item[method];
    return isJsonObject(operation) ? [[method, operationMessage(operation)]] : [];
  });
  return { ...Object.fromEntries(operations), parameters: parametersOf(item) };
}

/** The message of a document without paths and definitions. */
export function endsMessage(ends: JsonObject): Message {
  const security = Array.isArray(ends['security']) ? ends['security'].filter(isJsonObject) : [];
  const definitions = objectOf(ends['securityDefinitions']);
  return {
    ...pick(ends, ['swagger', 'info']),
    security: security.map(requirement => named(requirement, value => ({ value }))),
    security_definitions: named(definitions, value => ({ api_key_security: value })),
  };
}

function operationMessage(operation: JsonObject): Message {
  return {
    ...pick(operation, ['tags', 'description', 'produces', 'consumes', 'schemes']),
    operation_id: operation['operationId'],
    parameters: parametersOf(operation),
    responses: { response_code: namedList(objectOf(operation['responses']), responseMessage) },
    vendor_extension: extensionsOf(operation),
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

function parametersOf({ parameters }: JsonObject): Message[] {
  const list = Array.isArray(parameters) ? parameters.filter(isJsonObject) : [];
  return list.map(parameter => ({ parameter: parameterMessage(parameter) }));
}

function parameterMessage(parameter: JsonObject): Message {
  const shared = pick(parameter, ['required', 'in', 'description', 'name']);
  if (parameter['in'] === 'body')
    return { body_parameter: { ...shared, schema: schemaMessage(objectOf(parameter['schema'])) } };
  const fields = { ...shared, type: parameter['type'], unique_items: parameter['uniqueItems'] };
  const place = parameter['in'] === 'path' ? 'path_parameter_sub_schema' : 'query_parameter_sub_schema';
  return { non_body_parameter: { [place]: fields } };
}

function extensionsOf(object: JsonObject): Message[] {
  return Object.entries(object)
    .filter(([key]) => key.startsWith('x-'))
    .map(([name, value]) => ({ name, value: anyMessage(value) }));
}

/** Any value travels as YAML, of which JSON is a part. */
function anyMessage(value: JsonValue): Message {
  return { yaml: `${JSON.stringify(value)}\n` };
}

/** A map as the list of its entries, in a message of its own. */
function named(map: JsonObject, message: (value: JsonObject) => Message): Message {
  return { additional_properties: namedList(map, message) };
}

function namedList(map: JsonObject, message: (value: JsonObject) => Message): Message[] {
  // The maps of a document hold objects, and lists of names where `message` does not look into them.
  return Object.entries(map).map(([name, value]) => ({ name, value: message(value as JsonObject) }));
}

function pick(object: JsonObject, keys: readonly string[]): Message {
  return Object.fromEntries(keys.filter(key => object[key] !== undefined).map(key => [key, object[key]]));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
