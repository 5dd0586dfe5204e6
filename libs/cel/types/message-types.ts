import type { JsonObject } from '@binnacle/api-objects';
import { lazyObject } from './lazy-object.ts';
import { typeFromSchema } from './schema-types.ts';
import { type CelType, type ObjectType, types } from './type.ts';

/** The used parts of an API message; message types of the registry have them. */
export interface MessageShape {
  readonly fullName: string;
  readonly fields: ReadonlyMap<string, { readonly type: FieldShape }>;
  /** Whether objects have kind and apiVersion besides the fields. */
  readonly typeMeta: boolean;
  /** The schema of a custom resource's objects. */
  readonly structure?: { readonly schema: JsonObject };
}

/** The used parts of a field's type. */
export type FieldShape =
  | { readonly kind: 'scalar'; readonly scalar: keyof typeof scalarTypes }
  | { readonly kind: 'message'; readonly message: MessageShape }
  | { readonly kind: 'map'; readonly value: FieldShape }
  | {
      readonly kind: 'list';
      readonly element: FieldShape;
      readonly listType: 'atomic' | 'set' | 'map';
      readonly mapKeys: readonly string[];
    };

const known = new WeakMap<MessageShape, CelType>();

/** Converts an API message to a type; a custom resource's type is that of its schema. */
export function typeFromMessage(message: MessageShape): CelType {
  const made = known.get(message) ?? typeOfMessage(message);
  known.set(message, made);
  return made;
}

function typeOfMessage(message: MessageShape): CelType {
  const { structure, fullName } = message;
  if (structure === undefined) return createObjectType(message);
  return typeFromSchema(structure.schema, { name: fullName, isRoot: true }) ?? types.dyn;
}

function createObjectType(message: MessageShape): ObjectType {
  return lazyObject({ name: message.fullName, members: () => listMembers(message) });
}

function* listMembers({ fields, typeMeta }: MessageShape): Iterable<readonly [string, CelType]> {
  if (typeMeta) yield* [['apiVersion', types.string] as const, ['kind', types.string] as const];
  for (const [name, { type }] of fields) yield [name, typeOfField(type)];
}

function typeOfField(type: FieldShape): CelType {
  switch (type.kind) {
    case 'message':
      return typeFromMessage(type.message);
    case 'map':
      return types.map(types.string, typeOfField(type.value));
    case 'scalar':
      return scalarTypes[type.scalar];
    case 'list': {
      const element = typeOfField(type.element);
      if (type.listType === 'set') return { kind: 'list', element, listType: 'set' };
      if (type.listType !== 'map') return types.list(element);
      return { kind: 'list', element, listType: 'map', mapKeys: type.mapKeys };
    }
  }
}

const scalarTypes = {
  string: types.string,
  bool: types.bool,
  int32: types.int,
  int64: types.int,
  double: types.double,
  bytes: types.bytes,
  time: types.timestamp,
  microTime: types.timestamp,
  duration: types.duration,
  quantity: types.string,
  intOrString: types.dyn,
  json: types.dyn,
} as const satisfies Record<string, CelType>;
