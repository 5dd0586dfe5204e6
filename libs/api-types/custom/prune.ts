import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import {
  isEmbeddedObject,
  itemsOf,
  keepsUnknownFields,
  propertyMapOf,
  type SchemaNode,
} from '../apiextensions/json-schema.ts';
import type { SchemaMismatch } from '../definitions/definitions.ts';
import { checkEmbeddedMetadata } from './embedded-metadata.ts';
import { pathOf } from './path-text.ts';

interface Walk {
  readonly path: (string | number)[];
  readonly onUnknown: (path: string) => void;
  mismatch: SchemaMismatch | undefined;
}

const objectKeys: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Takes out of an object what its schema does not know, in place, and tells the path of each; what every object has stays,
 * here and in embedded objects. Gives the first value of an embedded object's metadata that is of no type it can have.
 */
export function pruneObject(
  schema: SchemaNode,
  object: JsonObject,
  onUnknown: (path: string) => void,
): SchemaMismatch | undefined {
  const walk: Walk = { path: [], onUnknown, mismatch: undefined };
  pruneProperties(schema, object, { walk, keeps: objectKeys });
  return walk.mismatch;
}

function pruneValue(schema: SchemaNode, value: JsonValue, walk: Walk): void {
  if (Array.isArray(value)) pruneList(schema, value, walk);
  else if (isJsonObject(value)) {
    const isEmbedded = isEmbeddedObject(schema);
    if (isEmbedded) {
      const { metadata } = value;
      if (metadata !== undefined)
        walk.mismatch ??= checkEmbeddedMetadata(metadata, walk.path, walk.onUnknown);
    }
    pruneProperties(schema, value, { walk, keeps: isEmbedded ? objectKeys : undefined });
  }
}

function pruneList(schema: SchemaNode, list: readonly JsonValue[], walk: Walk): void {
  const items = itemsOf(schema);
  if (items === undefined && keepsUnknownFields(schema)) return;
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue;
    walk.path.push(index);
    pruneValue(items ?? {}, item, walk);
    walk.path.pop();
  }
}

function pruneProperties(
  schema: SchemaNode,
  object: JsonObject,
  { walk, keeps }: { readonly walk: Walk; readonly keeps: ReadonlySet<string> | undefined },
): void {
  const properties = propertyMapOf(schema);
  const others = schema['additionalProperties'];
  const keepsUnknown = keepsUnknownFields(schema);
  for (const key of Object.keys(object)) {
    // What every object has is described by the server, whatever the schema says of it.
    if (keeps?.has(key)) continue;
    const value = object[key] ?? null;
    const node = properties.get(key) ?? (isJsonObject(others) ? others : undefined);
    if (node === undefined && !keepsUnknown && others !== true) {
      walk.path.push(key);
      walk.onUnknown(pathOf(walk.path));
      walk.path.pop();
      delete object[key];
    } else if (node !== undefined && typeof value === 'object' && value !== null) {
      walk.path.push(key);
      pruneValue(node, value, walk);
      walk.path.pop();
    }
  }
}
