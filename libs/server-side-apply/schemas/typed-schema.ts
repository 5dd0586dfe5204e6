import type { JsonValue } from '@binnacle/api-objects';
import type { PathElement } from '../field-sets/path-element.ts';

/** The scalars that a value may be; a null always may. */
export type ScalarKind = 'string' | 'number' | 'boolean' | 'any';

/**
 * The type of a value for server-side apply: which shapes it may have, and how managers share each.
 *
 * Most types have one shape. A value whose type is not known has all three. Schemas may be recursive, and are
 * never changed once they are in use.
 */
export interface TypedSchema {
  readonly scalar?: ScalarKind;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

/** A list: managed as a whole, or element by element, told apart by value (`set`) or by keys (`map`). */
export interface ListSchema {
  readonly listType: 'atomic' | 'set' | 'map';
  /** The keys of a `map` list, sorted by name. */
  readonly keys: readonly ListKey[];
  readonly element: TypedSchema;
}

/** A field that identifies the elements of a keyed list; elements without it have the default, if there is one. */
export interface ListKey {
  readonly name: string;
  readonly default?: JsonValue;
}

/** An object, be it a struct with declared fields, a map, or both: managed as a whole or member by member. */
export interface MapSchema {
  readonly mapType: 'granular' | 'atomic';
  readonly fields: ReadonlyMap<string, FieldSchema>;
  /** The type of members that are not declared; absent: there may be none. */
  readonly values?: TypedSchema;
}

/** A declared field with its step in paths. */
export interface FieldSchema {
  readonly element: PathElement;
  readonly schema: TypedSchema;
}

const noFields: ReadonlyMap<string, FieldSchema> = new Map();

/** Values of unknown type below an atomic one: every one of them is a leaf. */
export const untypedAtomic: TypedSchema = atomicOfAnything();

/** Values of unknown type: objects are shared member by member, lists have one manager. */
export const untypedDeduced: TypedSchema = deducedOfAnything();

/** The shape that a value is handled in; a value of none of the type's shapes, null say, takes the first there is. */
type Shape = 'map' | 'scalar' | 'list';

/** Tells the shape in which a schema handles a value; undefined for a schema that has none. */
export function shapeOf(schema: TypedSchema, value: JsonValue | undefined): Shape | undefined {
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) {
      if (schema.list !== undefined) return 'list';
    } else if (schema.map !== undefined) return 'map';
  } else if (value !== null && value !== undefined && schema.scalar !== undefined) return 'scalar';
  if (schema.map !== undefined) return 'map';
  if (schema.scalar !== undefined) return 'scalar';
  return schema.list === undefined ? undefined : 'list';
}

/** The step to a member of an object and its type; members that the schema does not know are of unknown type. */
export function memberSchema(map: MapSchema, name: string): FieldSchema {
  return map.fields.get(name) ?? { element: `f:${name}`, schema: map.values ?? untypedDeduced };
}

/** Asks whether a map is one of values of unknown type only: those know no markers. */
export function isDeducedMap(map: MapSchema): boolean {
  const { values, fields } = map;
  return (
    fields.size === 0 && values?.scalar === 'any' && values.list !== undefined && values.map !== undefined
  );
}

function atomicOfAnything(): TypedSchema {
  const schema: { -readonly [K in keyof TypedSchema]: TypedSchema[K] } = { scalar: 'any' };
  schema.list = { listType: 'atomic', keys: [], element: schema };
  schema.map = { mapType: 'atomic', fields: noFields, values: schema };
  return Object.freeze(schema);
}

function deducedOfAnything(): TypedSchema {
  const schema: { -readonly [K in keyof TypedSchema]: TypedSchema[K] } = { scalar: 'any' };
  schema.list = { listType: 'atomic', keys: [], element: untypedAtomic };
  schema.map = { mapType: 'granular', fields: noFields, values: schema };
  return Object.freeze(schema);
}
