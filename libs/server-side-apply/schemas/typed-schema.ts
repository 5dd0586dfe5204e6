import type { JsonValue } from '@binnacle/api-objects';
import type { PathElement } from '../field-sets/path-element.ts';

/** The scalar types of a value; null is always allowed. */
export type ScalarKind = 'string' | 'number' | 'boolean' | 'any';

/**
 * The type of a value for server-side apply: its allowed shapes, and how managers share each.
 *
 * Most types have one shape. A value of unknown type has all three. Schemas may be recursive, and must not be modified once they
 * are in use.
 */
export interface TypedSchema {
  readonly scalar?: ScalarKind;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

/** A list: managed as a whole, or element by element, with elements identified by value (`set`) or by keys (`map`). */
export interface ListSchema {
  readonly listType: 'atomic' | 'set' | 'map';
  /** The keys of a `map` list, sorted by name. */
  readonly keys: readonly ListKey[];
  readonly element: TypedSchema;
}

/** A field that identifies the elements of a keyed list; an element without it has the default, if any. */
export interface ListKey {
  readonly name: string;
  readonly default?: JsonValue;
}

/** An object (a struct with declared fields, a map, or both): managed as a whole or member by member. */
export interface MapSchema {
  readonly mapType: 'granular' | 'atomic';
  readonly fields: ReadonlyMap<string, FieldSchema>;
  /** The type of undeclared members; absent: they are not allowed. */
  readonly values?: TypedSchema;
}

/** A declared field with its path element. */
export interface FieldSchema {
  readonly element: PathElement;
  readonly schema: TypedSchema;
}

const noFields: ReadonlyMap<string, FieldSchema> = new Map();

/** Values of unknown type within an atomic value; all of them are leaves. */
export const untypedAtomic: TypedSchema = atomicOfAnything();

/** Values of unknown type: objects are granular, lists atomic. */
export const untypedDeduced: TypedSchema = deducedOfAnything();

/** The shape in which a value is handled; a value without a matching shape, such as null, has the first shape of its type. */
type Shape = 'map' | 'scalar' | 'list';

/** Returns the shape in which a schema handles a value; undefined for a schema without shapes. */
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

/** Returns the path element and the type of a member; undeclared members have an unknown type. */
export function memberSchema(map: MapSchema, name: string): FieldSchema {
  return map.fields.get(name) ?? { element: `f:${name}`, schema: map.values ?? untypedDeduced };
}

/** Whether a map only has values of unknown type, whose types have no extensions. */
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
