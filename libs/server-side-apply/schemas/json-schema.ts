import { extensions } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { compareTexts } from '../field-sets/value-order.ts';
import {
  type FieldSchema,
  type ListKey,
  type ListSchema,
  type MapSchema,
  type TypedSchema,
  untypedDeduced,
} from './typed-schema.ts';

/**
 * Converts a JSON schema to the schema of its objects, using its extensions (spec 1, server-side apply, 8 and 10): list types,
 * list map keys and map types. By default maps are granular and lists atomic. `fields` are the root fields that the server
 * defines.
 */
export function typedSchemaOfJsonSchema(
  schema: JsonObject,
  fields: ReadonlyMap<string, FieldSchema>,
): TypedSchema {
  const { map } = nodeSchema({ ...schema, type: 'object' });
  const own = map ?? noMembers;
  return { map: { ...own, fields: new Map([...own.fields, ...fields]) } };
}

const noMembers: MapSchema = { mapType: 'granular', fields: new Map() };
const text: TypedSchema = { scalar: 'string' };
const anyScalar: TypedSchema = { scalar: 'any' };

function nodeSchema(node: JsonObject): TypedSchema {
  if (node[extensions.intOrString] === true) return anyScalar;
  switch (node['type']) {
    case 'object':
      return { map: mapSchema(node) };
    case 'array':
      return { list: listSchema(node) };
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return { scalar: 'number' };
    case 'boolean':
      return { scalar: 'boolean' };
    default:
      return untypedDeduced;
  }
}

function mapSchema(node: JsonObject): MapSchema {
  const fields = new Map<string, FieldSchema>();
  for (const [name, property] of Object.entries(objectAt(node, 'properties') ?? {})) {
    fields.set(name, { element: `f:${name}`, schema: nodeOrAny(property) });
  }
  if (node[extensions.embeddedType] === true) addEmbedded(fields);
  const values = valuesSchema(node);
  return {
    mapType: node[extensions.mapType] === 'atomic' ? 'atomic' : 'granular',
    fields,
    ...(values === undefined ? {} : { values }),
  };
}

/** Returns the type of members without a declared property; undefined if they are not allowed. */
function valuesSchema(node: JsonObject): TypedSchema | undefined {
  const others = node['additionalProperties'];
  if (isJsonObject(others)) return nodeSchema(others);
  const acceptsAny = others === true || node[extensions.preserveUnknownFields] === true;
  return acceptsAny ? untypedDeduced : undefined;
}

/** Adds the fields of an embedded object. */
function addEmbedded(fields: Map<string, FieldSchema>): void {
  const members: readonly [string, TypedSchema][] = [
    ['apiVersion', text],
    ['kind', text],
    ['metadata', untypedDeduced],
  ];
  for (const [name, schema] of members) {
    if (!fields.has(name) || name === 'metadata') fields.set(name, { element: `f:${name}`, schema });
  }
}

function listSchema(node: JsonObject): ListSchema {
  const items = objectAt(node, 'items');
  const element = nodeOrAny(items);
  switch (node[extensions.listType]) {
    case 'set':
      return { listType: 'set', keys: [], element };
    case 'map':
      return { listType: 'map', keys: listKeys(node, items), element };
    default:
      return { listType: 'atomic', keys: [], element };
  }
}

function listKeys(node: JsonObject, items: JsonObject | undefined): ListKey[] {
  const names = node[extensions.listMapKeys];
  if (!Array.isArray(names)) return [];
  const properties = objectAt(items ?? {}, 'properties') ?? {};
  return names
    .filter(name => typeof name === 'string')
    .sort(compareTexts)
    .map(name => {
      const byDefault = objectAt(properties, name)?.['default'];
      return byDefault === undefined ? { name } : { name, default: byDefault };
    });
}

function nodeOrAny(node: JsonValue | undefined): TypedSchema {
  return isJsonObject(node) ? nodeSchema(node) : untypedDeduced;
}

function objectAt(node: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return isJsonObject(value) ? value : undefined;
}
