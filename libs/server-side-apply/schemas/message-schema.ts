import type {
  FieldDefinition,
  FieldType,
  ListFieldType,
  MapType,
  MessageType,
  ScalarType,
} from '@binnacle/api-types';
import { compareTexts } from '../field-sets/value-order.ts';
import { typedSchemaOfJsonSchema } from './json-schema.ts';
import {
  type FieldSchema,
  type ListKey,
  type ScalarKind,
  type TypedSchema,
  untypedAtomic,
  untypedDeduced,
} from './typed-schema.ts';

/**
 * Converts a message type to its schema. The time is proportional to the number of nested types (about 1 ms for the largest), so
 * callers should cache the result with its definition.
 */
export function schemaFromMessage(message: MessageType): TypedSchema {
  const schema = messageSchema(message, message.structType, new Map());
  const { structure } = message;
  // A message without fields is described by a JSON schema and the fields that every object has.
  return structure === undefined ? schema : typedSchemaOfJsonSchema(structure.schema, readFields(schema));
}

function readFields({ map }: TypedSchema): ReadonlyMap<string, FieldSchema> {
  return map?.fields ?? new Map();
}

/** Complete and incomplete schemas, by type: types can be recursive. */
type Built = Map<MessageType, { [K in MapType]?: TypedSchema }>;

function messageSchema(message: MessageType, mapType: MapType, built: Built): TypedSchema {
  const known = built.get(message) ?? {};
  const done = known[mapType];
  if (done !== undefined) return done;
  const fields = new Map<string, FieldSchema>();
  const schema: TypedSchema = { map: { mapType, fields } };
  known[mapType] = schema;
  built.set(message, known);
  if (message.typeMeta) {
    for (const name of ['apiVersion', 'kind']) fields.set(name, { element: `f:${name}`, schema: text });
  }
  for (const field of message.fields.values()) {
    fields.set(field.name, { element: `f:${field.name}`, schema: fieldSchema(field, built) });
  }
  return schema;
}

const text: TypedSchema = { scalar: 'string' };

function fieldSchema(field: FieldDefinition, built: Built): TypedSchema {
  const { type, structType } = field;
  return type.kind === 'message' && structType !== undefined
    ? messageSchema(type.message, structType, built)
    : typeSchema(type, built);
}

function typeSchema(type: FieldType, built: Built): TypedSchema {
  switch (type.kind) {
    case 'message':
      return messageSchema(type.message, type.message.structType, built);
    case 'map':
      return {
        map: { mapType: type.mapType, fields: new Map(), values: typeSchema(type.value, built) },
      };
    case 'list':
      return {
        list: { listType: type.listType, keys: listKeys(type), element: typeSchema(type.element, built) },
      };
    case 'scalar':
      if (type.alternatives !== undefined) return untypedAtomic;
      return type.scalar === 'json' ? untypedDeduced : { scalar: scalarKinds[type.scalar] };
    default:
      return unreachable(type);
  }
}

function listKeys(list: ListFieldType): ListKey[] {
  const fields = list.element.kind === 'message' ? list.element.message.fields : undefined;
  return [...list.mapKeys].sort(compareTexts).map(name => {
    const byDefault = fields?.get(name)?.default;
    return byDefault === undefined ? { name } : { name, default: byDefault };
  });
}

const scalarKinds: Readonly<Record<ScalarType, ScalarKind>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bytes: 'string',
  time: 'any',
  microTime: 'any',
  duration: 'any',
  quantity: 'any',
  intOrString: 'any',
  json: 'any',
};

function unreachable(type: never): never {
  throw new Error(`a field type of an unknown kind: ${JSON.stringify(type)}`);
}
