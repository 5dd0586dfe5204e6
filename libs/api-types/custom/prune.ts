import { isJsonObject, type JsonObject, type JsonValue, pathText } from '@binnacle/api-objects';
import { checkEmbeddedObject, dropMalformedMembers } from '../apiextensions/embedded-metadata.ts';
import {
  getAdditionalPropertySchema,
  getItemSchema,
  getPropertyMap,
  isEmbeddedObject,
  keepsUnknownFields,
} from '../apiextensions/json-schema.ts';
import type { SchemaMismatch } from '../definitions/message-type.ts';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';

interface Walk {
  readonly path: (string | number)[];
  readonly onUnknown: (path: string) => void;
  /** Whether what is malformed goes, in place of being told. */
  readonly dropsMalformed: boolean;
  mismatch: SchemaMismatch | undefined;
}

const objectKeys: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Takes out of an object what its schema does not know, in place, and tells the path of each; what every object has stays,
 * here and in embedded objects. The metadata of embedded objects is brought into the form that
 * decoding gives metadata. Gives its first value that is of no type it can have.
 */
export function pruneObject(
  schema: JSONSchemaProps,
  object: JsonObject,
  onUnknown: (path: string) => void,
): SchemaMismatch | undefined {
  const walk: Walk = { path: [], onUnknown, dropsMalformed: false, mismatch: undefined };
  pruneProperties(schema, object, { walk, keeps: objectKeys });
  return walk.mismatch;
}

/** Prunes an object that was stored under another schema: of embedded objects, what is malformed goes too (as in kube-apiserver). */
export function pruneStoredObject(schema: JSONSchemaProps, object: JsonObject): void {
  const walk: Walk = { path: [], onUnknown: () => {}, dropsMalformed: true, mismatch: undefined };
  pruneProperties(schema, object, { walk, keeps: objectKeys });
}

function pruneValue(schema: JSONSchemaProps, value: JsonValue, walk: Walk): void {
  if (Array.isArray(value)) pruneList(schema, value, walk);
  else if (isJsonObject(value)) {
    const isEmbedded = isEmbeddedObject(schema);
    if (isEmbedded) {
      const { unknownFields, mismatch } = checkEmbeddedObject(value, walk.path);
      for (const path of unknownFields) walk.onUnknown(path);
      if (mismatch !== undefined && walk.dropsMalformed) {
        dropMalformedMembers(value);
        checkEmbeddedObject(value);
      } else walk.mismatch ??= mismatch;
    }
    pruneProperties(schema, value, { walk, keeps: isEmbedded ? objectKeys : undefined });
  }
}

function pruneList(schema: JSONSchemaProps, list: readonly JsonValue[], walk: Walk): void {
  const items = getItemSchema(schema);
  if (items === undefined && keepsUnknownFields(schema)) return;
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue;
    walk.path.push(index);
    pruneValue(items ?? {}, item, walk);
    walk.path.pop();
  }
}

function pruneProperties(
  schema: JSONSchemaProps,
  object: JsonObject,
  { walk, keeps }: { readonly walk: Walk; readonly keeps: ReadonlySet<string> | undefined },
): void {
  const properties = getPropertyMap(schema);
  const others = getAdditionalPropertySchema(schema);
  // Where a schema allows no others, those that are there are for validation to refuse.
  const keepsUnknown = keepsUnknownFields(schema) || typeof schema.additionalProperties === 'boolean';
  for (const key of Object.keys(object)) {
    // The server describes the fields that every object has, whatever the schema says of them.
    if (keeps?.has(key)) continue;
    const value = object[key] ?? null;
    const node = properties.get(key) ?? others;
    if (node === undefined && !keepsUnknown) {
      walk.path.push(key);
      walk.onUnknown(pathText(walk.path));
      walk.path.pop();
      delete object[key];
    } else if (node !== undefined && typeof value === 'object' && value !== null) {
      walk.path.push(key);
      pruneValue(node, value, walk);
      walk.path.pop();
    }
  }
}
