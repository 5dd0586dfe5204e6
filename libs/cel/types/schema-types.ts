import { extensions } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { lazyObject } from './lazy-object.ts';
import { type CelType, type PrimitiveName, types } from './type.ts';

/** Context of a schema node. */
interface SchemaPlace {
  /** Name of the type, unique in its environment; default: `object`. */
  readonly name?: string;
  /** Whether the values are whole objects with apiVersion, kind and metadata; default: as the schema says. */
  readonly isRoot?: boolean;
}

/**
 * Converts a structural schema to the type of its values (specification 2, "Expression language"); undefined for a schema without
 * a type, whose values expressions cannot access. Every type has its schema as `origin`; types of object fields are created on
 * access.
 */
export function typeFromSchema(schema: JsonObject, place: SchemaPlace = {}): CelType | undefined {
  const name = place.name ?? 'object';
  if (schema[extensions.intOrString] === true) return { kind: 'dyn', origin: schema };
  switch (schema['type']) {
    case 'array':
      return listTypeFromSchema(schema, name);
    case 'object':
      return objectTypeFromSchema(schema, name, place.isRoot ?? isEmbedded(schema));
    case 'string':
      return { kind: 'primitive', name: textTypeFromFormat(schema['format']), origin: schema };
    case 'boolean':
      return { kind: 'primitive', name: 'bool', origin: schema };
    case 'integer':
      return { kind: 'primitive', name: 'int', origin: schema };
    case 'number':
      return { kind: 'primitive', name: 'double', origin: schema };
    default:
      return undefined;
  }
}

function listTypeFromSchema(schema: JsonObject, name: string): CelType | undefined {
  const items = asSchema(schema['items']);
  const element = items && typeFromSchema(items, { name: `${name}.@idx` });
  if (element === undefined) return undefined;
  const listType = schema[extensions.listType];
  const mapKeys = schema[extensions.listMapKeys];
  return {
    kind: 'list',
    element,
    origin: schema,
    ...((listType === 'set' || listType === 'map') && { listType }),
    ...(listType === 'map' && Array.isArray(mapKeys) && { mapKeys: mapKeys.map(String) }),
  };
}

function objectTypeFromSchema(schema: JsonObject, name: string, isRoot: boolean): CelType | undefined {
  const others = asSchema(schema['additionalProperties']);
  if (others !== undefined) {
    const value = typeFromSchema(others, { name: `${name}.@elem` });
    return value && { kind: 'map', key: types.string, value, origin: schema };
  }
  return lazyObject({ name, origin: schema, members: () => listMembers(schema, name, isRoot) });
}

function* listMembers(
  schema: JsonObject,
  name: string,
  isRoot: boolean,
): Iterable<readonly [string, CelType]> {
  const properties = asSchema(schema['properties']) ?? {};
  const implied = isRoot ? impliedProperties(properties) : {};
  for (const [member, node] of Object.entries({ ...properties, ...implied })) {
    const type = isJsonObject(node) ? typeFromSchema(node, { name: `${name}.${member}` }) : undefined;
    if (type !== undefined) yield [member, type];
  }
}

/** Returns the properties that every object has in expressions, regardless of its schema; limits in the schema are kept. */
function impliedProperties(properties: JsonObject): JsonObject {
  const metadata = asSchema(asSchema(properties['metadata'])?.['properties']) ?? {};
  return {
    apiVersion: textNode(properties['apiVersion']),
    kind: textNode(properties['kind']),
    metadata: {
      type: 'object',
      properties: {
        name: textNode(metadata['name']),
        generateName: textNode(metadata['generateName']),
      },
    },
  };
}

function textNode(node: JsonValue | undefined): JsonObject {
  const schema = asSchema(node);
  return schema?.['type'] === 'string' ? schema : { type: 'string' };
}

function textTypeFromFormat(format: JsonValue | undefined): PrimitiveName {
  switch (format) {
    case 'byte':
      return 'bytes';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'date':
    case 'date-time':
      return 'google.protobuf.Timestamp';
    default:
      return 'string';
  }
}

function isEmbedded(schema: JsonObject): boolean {
  return schema[extensions.embeddedType] === true;
}

function asSchema(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
