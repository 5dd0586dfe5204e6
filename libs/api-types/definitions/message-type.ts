import type { JsonObject, JsonValue } from '@binnacle/api-objects';

/**
 * Types of leaf values; `json` is any JSON value, `time` and similar types are strings in JSON and have a wire form of their own.
 */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'json';

/** How a list is merged and managed by server-side apply. */
export type ListType = 'atomic' | 'set' | 'map';

/** How a map or message is merged and managed by server-side apply. */
export type MapType = 'granular' | 'atomic';

/** A list type. On the wire a `wrapped` list is a message whose field 1 is the repeated element. */
export interface ListFieldType {
  readonly kind: 'list';
  readonly element: FieldType;
  readonly listType: ListType;
  /** JSON keys that identify an element of a `map` list; empty otherwise. */
  readonly mapKeys: readonly string[];
  readonly wrapped?: true;
}

/**
 * A leaf value. If the proto files have a message for it, `message` is its definition. `alternatives` occurs with `json` only:
 * the value is that of the field of this message that can hold it (an object, a list or a bool); on the wire it is the message.
 */
interface ScalarFieldType {
  readonly kind: 'scalar';
  readonly scalar: ScalarType;
  readonly message?: MessageType;
  readonly alternatives?: MessageType;
}

/** The type of a field: a scalar, a message, a list or a map with string keys. */
export type FieldType =
  | ScalarFieldType
  | { readonly kind: 'message'; readonly message: MessageType }
  | ListFieldType
  | { readonly kind: 'map'; readonly value: FieldType; readonly mapType: MapType };

/** The treatment of a field by strategic merge patch. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/** The definition of one field of a message. */
export interface FieldDefinition {
  /** The JSON key. */
  readonly name: string;
  /** The field number on the wire. */
  readonly number: number;
  readonly type: FieldType;
  /** Whether the schema lists the field as required; this does not imply validation, see `mustBeSet`. */
  readonly required: boolean;
  /** Whether `validateObject` refuses absent or empty values. */
  readonly mustBeSet: boolean;
  /** The default of an unset field. */
  readonly default?: JsonValue;
  /** The closed set of values of a string field. */
  readonly enumValues?: readonly string[];
  /** Whether the kind's rules validate the closed set, because they report another path or reason. */
  readonly enumCheckedByRules?: true;
  /** Whether an empty list differs from an absent one, which has a default. */
  readonly keepsEmpty?: true;
  readonly immutable: boolean;
  /** Whether JSON output contains the field even when it is empty. */
  readonly alwaysPresent: boolean;
  /**
   * Whether unset differs from zero: the wire form contains the field only when it is set; other scalars and messages are always
   * written.
   */
  readonly pointer: boolean;
  readonly patchStrategy: readonly PatchStrategy[];
  readonly patchMergeKey?: string;
  /** Only in `MessageType.wireFields`: whether the fields of this message belong to the JSON object of the parent. */
  readonly inline: boolean;
  /** Overrides the `structType` of the field's message. */
  readonly structType?: MapType;
  readonly description: string;
}

/**
 * The structure of objects that a JSON schema describes instead of fields.
 *
 * Values of such a message are kept as sent, including nulls, except for undeclared fields.
 */
interface SchemaStructure {
  /** The schema, with the extension names of this API. */
  readonly schema: JsonObject;
  /** Removes undeclared fields from an object in place and reports the path of each. */
  prune(object: JsonObject, onUnknown: (path: string) => void): SchemaMismatch | undefined;
}

/** A value whose type its place does not allow. */
export interface SchemaMismatch {
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * A message type of the API, in two views.
 *
 * `fields` is the JSON view: by JSON key, with the fields of inlined messages among the message's own. `wireFields` is the
 * protobuf view: as declared, with an inlined message as one field with `inline` set. Neither contains `apiVersion` and `kind`:
 * for a message with `typeMeta`, the envelope contains them on the wire, and the object in JSON.
 */
export interface MessageType {
  readonly name: string;
  /** Package and name, for example `core.v1.Pod`. */
  readonly fullName: string;
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly wireFields: readonly FieldDefinition[];
  readonly typeMeta: boolean;
  readonly structType: MapType;
  /** Set if the message is a leaf value in JSON. */
  readonly scalar?: ScalarType;
  readonly description: string;
  /** The schema of everything besides `fields`; such a message has no wire form. */
  readonly structure?: SchemaStructure;
}
