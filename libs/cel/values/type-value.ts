import { Duration } from './duration.ts';
import { Timestamp } from './timestamp.ts';
import { Uint } from './uint.ts';
import { UrlValue } from './url-value.ts';
import { ListValue, MapValue, TypeValue, type Value } from './value.ts';

/** The types that expressions can name, by name. */
export const namedTypes: ReadonlyMap<string, TypeValue> = new Map(
  [
    'bool',
    'int',
    'uint',
    'double',
    'string',
    'bytes',
    'list',
    'map',
    'null_type',
    'type',
    'google.protobuf.Timestamp',
    'google.protobuf.Duration',
  ].map(name => [name, new TypeValue(name)]),
);

const urlType = new TypeValue('net.URL');

/** Returns the run-time type of a value. */
export function typeOfValue(value: Value): TypeValue {
  const name = typeName(value);
  return namedTypes.get(name) ?? (name === urlType.name ? urlType : new TypeValue(name));
}

function typeName(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return nameOfObject(value);
  }
}

function nameOfObject(value: Value): string {
  if (value === null) return 'null_type';
  if (value instanceof ListValue) return 'list';
  if (value instanceof MapValue) return value.typeName;
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof UrlValue) return urlType.name;
  return value instanceof TypeValue ? 'type' : 'error';
}
