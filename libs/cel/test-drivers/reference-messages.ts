import { type CelType, type ObjectField, type ObjectType, types } from '../types/type.ts';

/** The used parts of a protobuf message descriptor. */
interface MessageDescription {
  readonly kind: 'message';
  readonly typeName: string;
  readonly fields: readonly FieldDescription[];
}

interface FieldDescription {
  readonly name: string;
  readonly fieldKind: string;
  readonly listKind?: string | undefined;
  readonly mapKey?: number | undefined;
  readonly mapKind?: string | undefined;
  readonly scalar?: number | undefined;
  readonly message?: MessageDescription | undefined;
}

/** The used parts of an enum descriptor. */
interface EnumDescription {
  readonly kind: 'enum';
  readonly typeName: string;
  readonly values: readonly { readonly name: string }[];
}

/** Converts messages to object types, by name. Wrapper and Any fields are left out. */
export function createObjectTypes(messages: readonly MessageDescription[]): Map<string, ObjectType> {
  const objects = new Map<string, ObjectType>();
  const findMessageType = ({ typeName }: MessageDescription): CelType | undefined =>
    wellKnown.get(typeName) ?? objects.get(typeName);
  for (const { typeName, fields } of messages) {
    if (wellKnown.has(typeName) || typeName.startsWith('google.')) continue;
    const byName = new Map(fields.map(field => [field.name, field]));
    const field = (name: string): ObjectField | undefined => {
      const described = byName.get(name);
      const type = described && createFieldType(described, findMessageType);
      return type && { type, member: name };
    };
    objects.set(typeName, { kind: 'object', name: typeName, field });
  }
  return objects;
}

/** Returns the values of enums, which are ints. */
export function listEnumValues(enums: readonly EnumDescription[]): (readonly [string, CelType])[] {
  return enums.flatMap(({ typeName, values }) =>
    values.map(({ name }) => [`${typeName}.${name}`, types.int] as const),
  );
}

const wellKnown: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['google.protobuf.Timestamp', types.timestamp],
  ['google.protobuf.Duration', types.duration],
  ['google.protobuf.Struct', types.map(types.string, types.dyn)],
  ['google.protobuf.ListValue', types.list(types.dyn)],
  ['google.protobuf.Value', types.dyn],
]);

type MessageLookup = (message: MessageDescription) => CelType | undefined;

function createFieldType(field: FieldDescription, findMessageType: MessageLookup): CelType | undefined {
  const { fieldKind, listKind, mapKind, mapKey } = field;
  const single = createSingleType(listKind ?? mapKind ?? fieldKind, field, findMessageType);
  if (single === undefined || fieldKind === listKind) return single;
  if (fieldKind === 'list') return types.list(single);
  const key = scalarTypes.get(mapKey ?? 0);
  return fieldKind === 'map' && key !== undefined ? types.map(key, single) : single;
}

function createSingleType(
  kind: string,
  { scalar, message }: FieldDescription,
  findMessageType: MessageLookup,
): CelType | undefined {
  if (kind === 'enum') return types.int;
  if (kind === 'scalar') return scalarTypes.get(scalar ?? 0);
  return message && findMessageType(message);
}

/** By the type numbers of protobuf descriptors. */
const scalarTypes: ReadonlyMap<number, CelType> = new Map<number, CelType>([
  [1, types.double],
  [2, types.double],
  [3, types.int],
  [4, types.uint],
  [5, types.int],
  [6, types.uint],
  [7, types.uint],
  [8, types.bool],
  [9, types.string],
  [12, types.bytes],
  [13, types.uint],
  [15, types.int],
  [16, types.int],
  [17, types.int],
  [18, types.int],
]);
