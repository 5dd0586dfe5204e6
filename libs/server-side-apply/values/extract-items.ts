import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setOwnProperty,
} from '@binnacle/api-objects';
import type { FieldSet } from '../field-sets/field-set.ts';
import {
  type ListSchema,
  type MapSchema,
  memberSchema,
  shapeOf,
  type TypedSchema,
} from '../schemas/typed-schema.ts';
import { isItemProblem, itemElement } from './list-items.ts';

/** Options of extractItems. */
interface ExtractOptions {
  /** Whether elements of keyed lists keep their keys, so that the result can be applied; default: false. */
  readonly withKeys?: boolean;
}

/**
 * Returns the part of an object that a set covers: leaves and atomic values unchanged, of granular containers only the members in
 * the set; a non-empty container without members in the set becomes null. The object is not modified; the result shares parts
 * with it.
 */
export function extractItems(
  value: JsonValue,
  fields: FieldSet,
  context: { readonly schema: TypedSchema } & ExtractOptions,
): JsonValue {
  const { schema, withKeys = false } = context;
  return extract(value, fields, { schema, withKeys });
}

interface Extraction {
  readonly schema: TypedSchema;
  readonly withKeys: boolean;
}

function extract(value: JsonValue, fields: FieldSet, extraction: Extraction): JsonValue {
  const { schema } = extraction;
  switch (shapeOf(schema, value)) {
    case 'map':
      return isJsonObject(value) ? extractMembers(value, fields, extraction) : null;
    case 'list':
      return Array.isArray(value) ? extractElements(value, fields, extraction) : null;
    default:
      return value;
  }
}

function extractMembers(value: JsonObject, fields: FieldSet, extraction: Extraction): JsonValue {
  const map: MapSchema = extraction.schema.map!; // The value has this shape.
  if (map.mapType === 'atomic' || isEmpty(value)) return value;
  const part: JsonObject = {};
  for (const name of Object.keys(value)) {
    const field = memberSchema(map, name);
    const below = fields.children.get(field.element);
    if (below === undefined) continue;
    setOwnProperty(part, name, extract(value[name]!, below, { ...extraction, schema: field.schema }));
  }
  return isEmpty(part) ? null : part;
}

function extractElements(items: JsonValue[], fields: FieldSet, extraction: Extraction): JsonValue {
  const list: ListSchema = extraction.schema.list!; // The value has this shape.
  if (list.listType === 'atomic' || items.length === 0) return items;
  const parts: JsonValue[] = [];
  for (const item of items) {
    const element = itemElement(item, list);
    const below = isItemProblem(element) ? undefined : fields.children.get(element);
    if (below === undefined) continue;
    const part = extract(item, below, { ...extraction, schema: list.element });
    parts.push(extraction.withKeys ? withListKeys(item, part, list) : part);
  }
  return parts.length === 0 ? null : parts;
}

function withListKeys(item: JsonValue, part: JsonValue, list: ListSchema): JsonValue {
  if (!isJsonObject(item) || !isJsonObject(part)) return part;
  const keyed: JsonObject = { ...part };
  for (const { name } of list.keys) {
    const value = ownProperty(item, name);
    if (value !== undefined) setOwnProperty(keyed, name, value);
  }
  return keyed;
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
