import type { JsonObject } from '@binnacle/api-objects';

/**
 * The type of an expression. Types are immutable and compared by structure; `origin` and the marks of lists are no part
 * of a type: they tell of the place that it was made for, and the checker keeps them as long as an expression does
 * nothing but go to a place (names, selections, elements, loop variables).
 */
export type CelType =
  | ({ readonly kind: 'primitive'; readonly name: PrimitiveName } & TypeOrigin)
  | ({ readonly kind: 'dyn' } & TypeOrigin)
  | { readonly kind: 'error' }
  | ListType
  | ({ readonly kind: 'map'; readonly key: CelType; readonly value: CelType } & TypeOrigin)
  | ObjectType
  /** A type of a library that has no fields: a URL, say. */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: 'type'; readonly of: CelType | undefined }
  /** Stands for any one type in the declaration of a function. */
  | { readonly kind: 'parameter'; readonly name: string };

/** Where a type comes from. */
interface TypeOrigin {
  /** The schema that the type was made of: limits of length, formats and the like. */
  readonly origin?: JsonObject;
}

/** A list. */
interface ListType extends TypeOrigin {
  readonly kind: 'list';
  readonly element: CelType;
  /** How such lists are equal and added; default atomic. */
  readonly listType?: 'set' | 'map';
  /** The members, by their JSON names, that identify an element of a `map` list. */
  readonly mapKeys?: readonly string[];
}

/** Types without parts. */
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
  /** By the name that expressions use, which may be escaped. Looked up when it is needed: types may be recursive. */
  field(name: string): ObjectField | undefined;
}

/** A field of a message. */
export interface ObjectField {
  readonly type: CelType;
  /** The member of the JSON object. */
  readonly member: string;
}

/** The types, as they are written where one is expected. */
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
