/** The type of an expression. Types are immutable and compared by structure. */
export type CelType =
  | { readonly kind: 'primitive'; readonly name: PrimitiveName }
  | { readonly kind: 'dyn' }
  | { readonly kind: 'error' }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | ObjectType
  /** A type of a library that has no fields: a URL, say. */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: 'type'; readonly of: CelType | undefined }
  /** Stands for any one type in the declaration of a function. */
  | { readonly kind: 'parameter'; readonly name: string };

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
export interface ObjectType {
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

/** What is written where a type is expected. */
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
