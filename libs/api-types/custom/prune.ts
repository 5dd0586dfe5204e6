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
  /** Whether malformed values are removed instead of reported. */
  readonly dropsMalformed: boolean;
  mismatch: SchemaMismatch | undefined;
}

const objectKeys: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes undeclared fields from an object in place and reports their paths; apiVersion, kind and metadata of the object and of
 * embedded objects are kept. The metadata of embedded objects is normalized like decoded metadata. Returns the first value of a
 * wrong type.
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

/**
 * Prunes an object that was stored under another schema; like in kube-apiserver, malformed parts of embedded objects are removed
 * too.
 */
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
  // If a schema forbids additional properties, validation reports them.
  const keepsUnknown = keepsUnknownFields(schema) || typeof schema.additionalProperties === 'boolean';
  for (const key of Object.keys(object)) {
    // The server declares apiVersion, kind and metadata, regardless of the schema.
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
