import protobuf from 'protobufjs';
import { lowerFirst } from './names.ts';

/** The code of one value of a field in the generated files: its type, default, test for a set value, writing and reading. */
export interface ValueCode {
  readonly type: string;
  /** The value after decoding when the wire has none. */
  readonly defaultValue: string;
  readonly wireType: 0 | 1 | 2 | 5;
  /** Condition under which a field without presence is written. */
  isSet(expression: string): string;
  /** Continues an expression `writer.uint32(tag)`. */
  write(expression: string, writer: string): string;
  readonly read: string;
}

const scalars: Record<string, ValueCode> = {
  string: scalar('string', "''", 2, 'string'),
  bool: scalar('boolean', 'false', 0, 'bool'),
  double: scalar('number', '0', 1, 'double'),
  uint32: scalar('number', '0', 0, 'uint32'),
  int32: scalar('number', '0', 0, 'int32'),
  bytes: { ...scalar('Uint8Array', 'noBytes', 2, 'bytes'), isSet: value => `${value}?.length` },
};

/** The code for a field's values; types that no contract uses are refused by name. */
export function findValueCode(field: protobuf.FieldBase): ValueCode {
  const resolved = field.resolvedType;
  if (resolved instanceof protobuf.Enum) return enumCode(resolved);
  if (resolved instanceof protobuf.Type) return messageCode(resolved);
  const code = scalars[field.type];
  if (!code) throw new Error(`${field.fullName}: fields of type ${field.type} are not supported`);
  return code;
}

/** The code for the keys of a map field. */
export function findKeyCode(field: protobuf.MapField): ValueCode {
  const code = field.keyType === 'string' ? scalars['string'] : undefined;
  if (!code) throw new Error(`${field.fullName}: only maps with string keys are supported`);
  return code;
}

/** The first value of an enum by number: its default. */
export function enumNames(type: protobuf.Enum): string[] {
  const names = Object.entries(type.values)
    .sort(([, left], [, right]) => left - right)
    .map(([name]) => name);
  if (names.some((name, index) => type.values[name] !== index)) {
    throw new Error(`${type.fullName}: numbers must run from 0 without gaps`);
  }
  return names;
}

function scalar(
  type: string,
  defaultValue: string,
  wireType: ValueCode['wireType'],
  method: string,
): ValueCode {
  return {
    type,
    defaultValue,
    wireType,
    isSet: value => value,
    write: (value, writer) => `${writer}.${method}(${value})`,
    read: `reader.${method}()`,
  };
}

function enumCode(type: protobuf.Enum): ValueCode {
  const first = enumNames(type)[0];
  if (first === undefined) throw new Error(`${type.fullName} has no values`);
  const name = lowerFirst(type.name);
  return {
    type: type.name,
    defaultValue: `'${first}'`,
    wireType: 0,
    isSet: value => `${value} && ${value} !== '${first}'`,
    write: (value, writer) => `${writer}.int32(${name}Numbers[${value}])`,
    read: `enumValue(${name}Values, reader.int32(), '${type.name}')`,
  };
}

function messageCode(type: protobuf.Type): ValueCode {
  return {
    type: type.name,
    defaultValue: 'undefined',
    wireType: 2,
    isSet: value => `${value} !== undefined`,
    write: (value, writer) => `write${type.name}(${value}, ${writer}.fork()).ldelim()`,
    read: `read${type.name}(reader, messageEnd(reader))`,
  };
}
