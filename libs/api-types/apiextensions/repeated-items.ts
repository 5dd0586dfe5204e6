import { extensions } from '@binnacle/api-names';
import {
  duplicateField,
  type FieldError,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { asObject } from '../values/json-access.ts';
import { getItemSchema, getPropertyMap, readDefault } from './json-schema.ts';

/** Reports duplicate items of a list whose type is set, or map by keys of its items. */
export function repeatedItemErrors(
  schema: JSONSchemaProps,
  list: readonly JsonValue[],
  path: FieldPath,
): FieldError[] {
  const listType = schema[extensions.listType];
  if (listType === 'set') return repeated(list, path, item => item);
  if (listType !== 'map') return [];
  const keys = schema[extensions.listMapKeys] ?? [];
  const properties = getPropertyMap(getItemSchema(schema) ?? {});
  return repeated(list, path, item => pickKeys(asObject(item) ?? {}, keys, properties));
}

/** Returns the keys of an item; a missing key has its default. */
function pickKeys(
  item: JsonObject,
  keys: readonly string[],
  properties: ReadonlyMap<string, JSONSchemaProps>,
): JsonObject {
  const entries = keys.flatMap(key => {
    const value = Object.hasOwn(item, key) ? item[key] : readDefault(properties.get(key) ?? {});
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function repeated(
  list: readonly JsonValue[],
  path: FieldPath,
  identityOf: (item: JsonValue) => JsonValue,
): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, item] of list.entries()) {
    const identity = identityOf(item);
    const text = canonicalText(identity);
    if (seen.has(text)) errors.push(duplicateField(path.index(index), identity));
    seen.add(text);
  }
  return errors;
}

/** Returns equal texts for equal values, regardless of the order of their members. */
function canonicalText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item ?? null)}`);
  return `{${members.join()}}`;
}
