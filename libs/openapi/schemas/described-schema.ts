import { extensions } from '@binnacle/api-names';
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { type Extensions, isExtension } from '../parts/extensions.ts';
import type { Dialect } from './dialect.ts';

/** Context of publishing a schema. */
interface PublishedAs {
  readonly dialect: Dialect;
  readonly extensions: Extensions;
  /** The members of an embedded object: `apiVersion`, `kind` and `metadata`. */
  readonly embedded: JsonObject;
}

/** Keys of definitions that are never published. */
const neverPublished = new Set(['$schema', 'example', 'externalDocs', 'id']);
/** Keys that OpenAPI v2 does not have, or that its clients fail on. */
const notInV2 = new Set(['allOf', 'anyOf', 'default', 'nullable', 'not', 'oneOf']);
const listKeys = ['allOf', 'anyOf', 'oneOf'];
const embeddedRequired = ['kind', 'apiVersion'];

/**
 * Returns the published form of a definition's schema: extensions under all their names, and in OpenAPI v2 only what v2 supports.
 */
export function describedSchema(schema: JsonObject, published: PublishedAs): JsonObject {
  const isV2 = published.dialect === 'v2';
  const entries = Object.entries(isV2 ? schemaForV2(schema) : schemaForV3(schema)).flatMap(
    ([key, value]): [string, JsonValue][] => {
      if (value === undefined || neverPublished.has(key)) return [];
      if (!isExtension(key)) return [[key, publishedValue(key, value, published)]];
      if (value === false) return [];
      return published.extensions.publishedNames(key).map(name => [name, value]);
    },
  );
  const described = Object.fromEntries(entries);
  if (schema[extensions.embeddedType] !== true) return described;
  return isV2 && preservesUnknown(schema) ? described : withEmbedded(described, published.embedded);
}

/** Whether a schema accepts undeclared members. */
export function preservesUnknown(schema: JsonObject): boolean {
  return schema[extensions.preserveUnknownFields] === true;
}

/**
 * Removes the parts that unmodified clients cannot read in OpenAPI v2, as apiextensions-apiserver does: kubectl refuses every
 * document with an array without items, and validates strictly wherever a type or properties are given.
 */
function schemaForV2(schema: JsonObject): JsonObject {
  const shown: JsonObject = Object.fromEntries(Object.entries(schema).filter(([key]) => !notInV2.has(key)));
  if (isNullable(schema) || preservesUnknown(schema)) {
    delete shown['items'];
    delete shown['properties'];
  }
  const { type, items } = shown;
  const isLoose = isNullable(schema) || (type === 'object' && preservesUnknown(schema));
  if (isLoose || (type === 'array' && items === undefined)) delete shown['type'];
  // Nested objects still declare whether they are nullable.
  const required = requiredInV2(shown);
  if (required.length === 0) delete shown['required'];
  else shown['required'] = required;
  return shown;
}

const integerOrText: readonly JsonValue[] = [{ type: 'integer' }, { type: 'string' }];

/** Adds an `anyOf` to int-or-string values for clients that do not know the extension, as apiextensions-apiserver does. */
function schemaForV3(schema: JsonObject): JsonObject {
  if (schema[extensions.intOrString] !== true) return schema;
  const { anyOf, allOf = [] } = schema;
  const [first] = Array.isArray(allOf) ? allOf : [];
  const isSaid = [anyOf, isJsonObject(first) ? first['anyOf'] : undefined].some(
    alternatives => alternatives !== undefined && equalJson(alternatives, [...integerOrText]),
  );
  if (isSaid) return schema;
  if (anyOf === undefined) return { ...schema, anyOf: [...integerOrText] };
  return { ...schema, allOf: [{ anyOf: [...integerOrText] }, ...(Array.isArray(allOf) ? allOf : [])] };
}

/** Nullable members are not required. */
function requiredInV2({ required, properties, additionalProperties }: JsonObject): JsonValue[] {
  if (!Array.isArray(required) || isNullable(additionalProperties)) return [];
  if (!isJsonObject(properties)) return required;
  return required.filter(name => !isNullable(properties[String(name)]));
}

function isNullable(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema['nullable'] === true;
}

function withEmbedded(described: JsonObject, embedded: JsonObject): JsonObject {
  const { properties, required } = described;
  const names = Array.isArray(required) ? required : [];
  return {
    ...described,
    properties: { ...(isJsonObject(properties) ? properties : {}), ...embedded },
    required: [...names, ...embeddedRequired.filter(name => !names.includes(name))],
  };
}

function publishedValue(key: string, value: JsonValue, published: PublishedAs): JsonValue {
  if (key === 'properties' && isJsonObject(value)) {
    const properties = Object.entries(value).map(([name, node]): [string, JsonValue] => [
      name,
      isJsonObject(node) ? describedSchema(node, published) : (node ?? null),
    ]);
    return Object.fromEntries(properties);
  }
  if ((key === 'items' || key === 'additionalProperties' || key === 'not') && isJsonObject(value))
    return describedSchema(value, published);
  if (listKeys.includes(key) && Array.isArray(value))
    return value.map(node => (isJsonObject(node) ? describedSchema(node, published) : node));
  return value;
}
