import type { JsonObject, JsonValue } from '@binnacle/api-objects';

/** The types of leaf values; `json` is any JSON value, `time` and the like are strings in JSON with a wire form of their own. */
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

/** How managers of a list combine (server-side apply). */
export type ListType = 'atomic' | 'set' | 'map';

/** How managers of a map or of a message combine (server-side apply). */
export type MapType = 'granular' | 'atomic';

/** A list; `wrapped` lists are, on the wire, a message whose field 1 is the repeated element. */
export interface ListFieldType {
  readonly kind: 'list';
  readonly element: FieldType;
  readonly listType: ListType;
  /** JSON keys that identify an element of a `map` list; empty otherwise. */
  readonly mapKeys: readonly string[];
  readonly wrapped?: true;
}

/**
 * A leaf value. Where the proto files have a message for it, `message` names and describes it. `alternatives` stand with `json`
 * only: the value is that of whichever field of the message can hold it (an object, a list or a bool), and on the wire it is the
 * message.
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

/** The effect of a strategic merge patch on a field. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/** Everything the server knows about one field of a message. */
export interface FieldDefinition {
  /** The JSON key. */
  readonly name: string;
  /** The number of the field on the wire. */
  readonly number: number;
  readonly type: FieldType;
  /** The schema lists the field as required; a value need not be checked for it, see `mustBeSet`. */
  readonly required: boolean;
  /** Absent or empty values are refused by `validateObject`. */
  readonly mustBeSet: boolean;
  /** The value an unset field gets. */
  readonly default?: JsonValue;
  /** The closed set of values of a string field. */
  readonly enumValues?: readonly string[];
  /** The rules of the kind check the closed set: they report it at another place, or for another reason. */
  readonly enumCheckedByRules?: true;
  /** An empty list differs from none, which has a default. */
  readonly keepsEmpty?: true;
  readonly immutable: boolean;
  /** JSON output carries the field even when it is empty. */
  readonly alwaysPresent: boolean;
  /** Unset differs from zero: the wire carries the field only when it was set; other scalars and messages are always written. */
  readonly pointer: boolean;
  readonly patchStrategy: readonly PatchStrategy[];
  readonly patchMergeKey?: string;
  /** Only in `MessageType.wireFields`: the fields of this message stand in the JSON object of the parent. */
  readonly inline: boolean;
  /** Overrides the `structType` of the field's message. */
  readonly structType?: MapType;
  readonly description: string;
}

/**
 * The shape of objects that a JSON schema describes, in place of fields.
 *
 * Values of such a message are kept as they come, nulls included, but for what the schema does not know.
 */
interface SchemaStructure {
  /** Its extensions have the names of this API. */
  readonly schema: JsonObject;
  /** Takes out of an object what the schema does not know, in place, and tells the path of each. */
  prune(object: JsonObject, onUnknown: (path: string) => void): SchemaMismatch | undefined;
}

/** A value that is of no type that its place can have. */
export interface SchemaMismatch {
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * A message type of the API, in its two views.
 *
 * `fields` is the JSON view: by JSON key, the fields of inlined messages standing among the message's own.
 * `wireFields` is the protobuf view: as declared, an inlined message being one field with `inline` set.
 * Neither contains `apiVersion` and `kind`: those of a message with `typeMeta` are carried by the envelope on
 * the wire and stand beside the fields in JSON.
 */
export interface MessageType {
  readonly name: string;
  /** Package and name, for example `core.v1.Pod`. */
  readonly fullName: string;
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly wireFields: readonly FieldDefinition[];
  readonly typeMeta: boolean;
  readonly structType: MapType;
  /** In JSON the message is a leaf value. */
  readonly scalar?: ScalarType;
  readonly description: string;
  /** The schema of everything beside `fields`; such a message has no wire form. */
  readonly structure?: SchemaStructure;
}
