import type { JsonObject } from '@binnacle/api-objects';

/**
 * The type of an expression. Types are immutable and compared by structure; `origin` and the list marks are not part of a type:
 * they describe the schema node of a value, and the checker keeps them while an expression only accesses a node (names,
 * selections, elements, loop variables).
 */
export type CelType =
  | ({ readonly kind: 'primitive'; readonly name: PrimitiveName } & TypeOrigin)
  | ({ readonly kind: 'dyn' } & TypeOrigin)
  | { readonly kind: 'error' }
  | ListType
  | ({ readonly kind: 'map'; readonly key: CelType; readonly value: CelType } & TypeOrigin)
  | ObjectType
  /** A library type without fields, such as a URL. */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: 'type'; readonly of: CelType | undefined }
  /** A type parameter of a function declaration. */
  | { readonly kind: 'parameter'; readonly name: string };

/** Origin of a type. */
interface TypeOrigin {
  /** The schema of the type, with limits and format. */
  readonly origin?: JsonObject;
}

/** A list. */
interface ListType extends TypeOrigin {
  readonly kind: 'list';
  readonly element: CelType;
  /** How such lists are compared and added; default: atomic. */
  readonly listType?: 'set' | 'map';
  /** The JSON member names that identify an element of a `map` list. */
  readonly mapKeys?: readonly string[];
}

/** Types without type arguments. */
export type PrimitiveName =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null_type'
  | 'google.protobuf.Timestamp'
  | 'google.protobuf.Duration';

/** A message: an object with declared fields. */
export interface ObjectType extends TypeOrigin {
  readonly kind: 'object';
  /** Unique among the types of one environment. */
  readonly name: string;
  /** Finds a field by its name in expressions, which may be escaped. Resolved on access, since types may be recursive. */
  field(name: string): ObjectField | undefined;
}

/** A field of a message. */
export interface ObjectField {
  readonly type: CelType;
  /** The JSON member name. */
  readonly member: string;
}

/** Constants and constructors of types. */
export const types = {
  bool: { kind: 'primitive', name: 'bool' },
  int: { kind: 'primitive', name: 'int' },
  uint: { kind: 'primitive', name: 'uint' },
  double: { kind: 'primitive', name: 'double' },
  string: { kind: 'primitive', name: 'string' },
  bytes: { kind: 'primitive', name: 'bytes' },
  null: { kind: 'primitive', name: 'null_type' },
  timestamp: { kind: 'primitive', name: 'google.protobuf.Timestamp' },
  duration: { kind: 'primitive', name: 'google.protobuf.Duration' },
  dyn: { kind: 'dyn' },
  error: { kind: 'error' },
  list: (element: CelType): CelType => ({ kind: 'list', element }),
  map: (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value }),
  parameter: (name: string): CelType => ({ kind: 'parameter', name }),
  type: (of?: CelType): CelType => ({ kind: 'type', of }),
} as const satisfies Record<string, CelType | ((...parts: never[]) => CelType)>;
