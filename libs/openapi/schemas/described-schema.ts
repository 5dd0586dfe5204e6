import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { Extensions } from '../extensions.ts';
import type { Dialect } from './dialect.ts';

/** How a schema is published. */
export interface PublishedAs {
  readonly dialect: Dialect;
  readonly extensions: Extensions;
}

const extensionPrefix = 'x-cluster-';
/** Keys that the second version of OpenAPI does not have, or that its clients fail on. */
const notInV2 = new Set(['allOf', 'anyOf', 'default', 'nullable', 'not', 'oneOf']);
/** What is not said of a value that can be null, or hold what nobody knows, to clients that take it all too literally. */
const strict = new Set(['additionalProperties', 'enum', 'items', 'properties', 'required', 'type']);
const listKeys = ['allOf', 'anyOf', 'oneOf'];

/** A schema of a definition as the documents show it: extensions in every spelling, and in OpenAPI v2 what v2 knows. */
export function describedSchema(schema: JsonObject, published: PublishedAs): JsonObject {
  const isLoose =
    published.dialect === 'v2' &&
    (schema['nullable'] === true || schema['x-cluster-preserve-unknown-fields'] === true);
  const entries = Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if (value === undefined) return [];
    if (key.startsWith(extensionPrefix)) return extensionEntries(key, value, published);
    if (published.dialect === 'v2' && notInV2.has(key)) return [];
    if (isLoose && strict.has(key))
      return key === 'type' && schema['nullable'] !== true ? [[key, value]] : [];
    return [[key, publishedValue(key, value, published)]];
  });
  return Object.fromEntries(entries);
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

function extensionEntries(key: string, value: JsonValue, { extensions }: PublishedAs): [string, JsonValue][] {
  const written = extensions.ofSchema(key.slice(extensionPrefix.length), value);
  return Object.entries(written).map(([name, one]) => [name, one ?? null]);
}
