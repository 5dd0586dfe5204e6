import { type GroupVersionKind, isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { FieldDefinition, FieldType, MessageType } from '@binnacle/api-types';
import type { Extensions } from '../parts/extensions.ts';
import { describedSchema, preservesUnknown } from './described-schema.ts';
import { type Dialect, referenceTo } from './dialect.ts';
import { plainScalar, scalarDefinition } from './scalar-schemas.ts';

/** Context of writing schemas. */
export interface SchemaContext {
  readonly dialect: Dialect;
  readonly extensions: Extensions;
  /** The kinds of each message, by its full name. */
  readonly kinds: ReadonlyMap<string, readonly GroupVersionKind[]>;
  /** Whether fields of built-in kinds list their allowed values. */
  readonly enumerations: boolean;
}

const typeMeta: Readonly<Record<string, JsonObject>> = {
  apiVersion: {
    description:
      'The group and version of the schema of this object; the server refuses those it does not know.',
    type: 'string',
  },
  kind: {
    description: 'The kind of this object, in CamelCase; it cannot be changed by an update.',
    type: 'string',
  },
};

/** Returns the schema of a message for its definition. */
export function definitionSchema(message: MessageType, context: SchemaContext): JsonObject {
  const { extensions } = context;
  const { fullName, scalar } = message;
  if (scalar !== undefined)
    return { description: message.description, ...scalarDefinition({ fullName, scalar }, context) };
  if (message.structure !== undefined) return describedDefinition(message, message.structure.schema, context);
  const properties = createProperties(message, context);
  const required = [...message.fields.values()].filter(field => field.required).map(field => field.name);
  return {
    description: message.description,
    type: 'object',
    ...(required.length === 0 ? {} : { required: required.sort() }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(message.structType === 'atomic' ? extensions.of('mapType', 'atomic') : {}),
    ...extensions.ofDefinition(context.kinds.get(message.fullName) ?? []),
  };
}

/** Returns the schema of a custom resource, with the server's description of the fields that every object has. */
function describedDefinition(
  message: MessageType,
  described: JsonObject,
  context: SchemaContext,
): JsonObject {
  const ownProperties = createProperties(message, context);
  const schema = describedSchema(described, { ...context, embedded: ownProperties });
  const kind = context.extensions.ofDefinition(context.kinds.get(message.fullName) ?? []);
  const acceptsAnything = preservesUnknown(described) || described['nullable'] === true;
  // Clients of v2 refuse undeclared members next to declared ones, so either all members are declared or none.
  if (context.dialect === 'v2' && acceptsAnything)
    return { description: message.description, type: 'object', ...kind };
  const properties = { ...objectAt(schema, 'properties'), ...ownProperties };
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...kind,
  };
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key];
  return isJsonObject(value) ? value : {};
}

function createProperties(message: MessageType, context: SchemaContext): JsonObject {
  const own = [...message.fields.values()].flatMap((field): [string, JsonValue][] => {
    const schema = propertySchema(field, context);
    return context.extensions.publishedNames(field.name).map(name => [name, schema]);
  });
  const all = message.typeMeta ? [...Object.entries(typeMeta), ...own] : own;
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function propertySchema(field: FieldDefinition, context: SchemaContext): JsonObject {
  return {
    description: field.description,
    ...besideOthers(typeSchema(field, field.type, context), context.dialect),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...createMergeExtensions(field, context.extensions),
  };
}

/** OpenAPI v3 ignores members next to a reference. */
function besideOthers(schema: JsonObject, dialect: Dialect): JsonObject {
  return dialect === 'v3' && '$ref' in schema ? { allOf: [schema] } : schema;
}

function typeSchema(field: FieldDefinition, type: FieldType, context: SchemaContext): JsonObject {
  switch (type.kind) {
    case 'scalar': {
      if (type.message !== undefined) return referenceTo(type.message.fullName, context.dialect);
      const values = context.enumerations && type.scalar === 'string' ? field.enumValues : undefined;
      return {
        ...plainScalar(type.scalar),
        ...(values ? { enum: [...values] } : {}),
      };
    }
    case 'message':
      return referenceTo(type.message.fullName, context.dialect);
    case 'list':
      return { type: 'array', items: typeSchema(field, type.element, context) };
    case 'map':
      return { type: 'object', additionalProperties: typeSchema(field, type.value, context) };
  }
}

/** Returns the extensions of a field for server-side apply and strategic merge patch. */
function createMergeExtensions(field: FieldDefinition, extensions: Extensions): JsonObject {
  const { type, structType, patchStrategy, patchMergeKey } = field;
  const isAtomic = structType === 'atomic' || (type.kind === 'map' && type.mapType === 'atomic');
  return {
    ...(type.kind === 'list' ? extensions.of('listType', type.listType) : {}),
    ...(type.kind === 'list' && type.mapKeys.length > 0
      ? extensions.of('listMapKeys', [...type.mapKeys])
      : {}),
    ...(isAtomic ? extensions.of('mapType', 'atomic') : {}),
    ...(patchStrategy.length === 0 ? {} : extensions.of('patchStrategy', patchStrategy.join(','))),
    ...(patchMergeKey === undefined ? {} : extensions.of('patchMergeKey', patchMergeKey)),
  };
}
