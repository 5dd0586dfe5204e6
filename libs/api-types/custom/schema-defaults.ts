import {
  completedByteLimit,
  copyJson,
  countValues,
  DefaultsTooLarge,
  hasTooManyValues,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectValueLimit,
  ownProperty,
  setOwnProperty,
} from '@binnacle/api-objects';
import {
  getAdditionalPropertySchema,
  getItemSchema,
  getPropertyMap,
  readDefault,
} from '../apiextensions/json-schema.ts';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';

/** The object to complete with defaults. */
interface CompletedObject {
  /** The name of the schema's definition. */
  readonly definition: string;
  /** Size of the object without defaults, in bytes; default: 0, for an object whose size is checked when it is stored. */
  readonly bytes?: number;
}

const defaulted = new WeakMap<JSONSchemaProps, readonly (readonly [string, JSONSchemaProps])[]>();

/**
 * Sets the schema's defaults for omitted values whose parents exist. A null that the schema does not allow counts as omitted;
 * without a default it is removed. Idempotent; modifies `object`.
 *
 * Defaults can make a small object huge. Their values and bytes are counted: for an object that would exceed the object limits
 * all defaults are undone, and `DefaultsTooLarge` is thrown.
 */
export function applySchemaDefaults(
  schema: JSONSchemaProps,
  object: JsonObject,
  completed: CompletedObject,
): void {
  const filling = new Filling(completed);
  try {
    completeObject(schema, object, filling);
    filling.assertFits(object);
  } catch (thrown) {
    filling.undo();
    throw thrown;
  }
}

function complete(schema: JSONSchemaProps, value: JsonValue, filling: Filling): void {
  if (Array.isArray(value)) {
    const items = getItemSchema(schema);
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      if (isForbiddenNull(items, item) && readDefault(items) !== undefined)
        filling.putItem(value, index, items);
      const present = value[index];
      if (typeof present === 'object' && present !== null) complete(items, present, filling);
    }
  } else if (isJsonObject(value)) completeObject(schema, value, filling);
}

function completeObject(schema: JSONSchemaProps, object: JsonObject, filling: Filling): void {
  for (const [name, node] of defaultedProperties(schema)) {
    const value = ownProperty(object, name);
    if (value === undefined || isForbiddenNull(node, value)) filling.putMember(object, name, node);
  }
  const known = getPropertyMap(schema);
  const others = getAdditionalPropertySchema(schema);
  for (const name of Object.keys(object)) {
    const node = known.get(name) ?? others;
    if (node !== undefined) completeProperty(node, object, name, filling);
  }
}

function completeProperty(node: JSONSchemaProps, object: JsonObject, name: string, filling: Filling): void {
  let value = ownProperty(object, name) ?? null;
  if (isForbiddenNull(node, value)) {
    if (readDefault(node) === undefined) {
      delete object[name];
      return;
    }
    value = filling.putMember(object, name, node);
  }
  if (typeof value === 'object' && value !== null) complete(node, value, filling);
}

function isForbiddenNull(node: JSONSchemaProps, value: JsonValue): boolean {
  return value === null && node.nullable !== true;
}

/** Returns the properties that have a default, cached for each node. */
function defaultedProperties(schema: JSONSchemaProps): readonly (readonly [string, JSONSchemaProps])[] {
  let found = defaulted.get(schema);
  if (found === undefined) {
    found = [...getPropertyMap(schema)].filter(([, node]) => readDefault(node) !== undefined);
    defaulted.set(schema, found);
  }
  return found;
}

/** The size of a default within an object. */
interface Weight {
  readonly values: number;
  readonly bytes: number;
}

const weights = new WeakMap<JSONSchemaProps, Weight>();

function getWeight(node: JSONSchemaProps): Weight {
  let weight = weights.get(node);
  if (weight === undefined) {
    const value = readDefault(node) ?? null;
    weight = {
      values: countValues(value, 1, objectValueLimit),
      bytes: Buffer.byteLength(JSON.stringify(value)) + 1,
    };
    weights.set(node, weight);
  }
  return weight;
}

/** The defaults set in one object. */
class Filling {
  readonly #completed: CompletedObject;
  readonly #members: [object: JsonObject, name: string][] = [];
  readonly #items: [list: JsonValue[], index: number][] = [];
  #values = 0;
  #bytes: number;

  constructor(completed: CompletedObject) {
    this.#completed = completed;
    this.#bytes = completed.bytes ?? 0;
  }

  putMember(object: JsonObject, name: string, node: JSONSchemaProps): JsonValue {
    this.#count(node, name.length + 3);
    const value = copyJson(readDefault(node) ?? null);
    setOwnProperty(object, name, value);
    this.#members.push([object, name]);
    return value;
  }

  putItem(list: JsonValue[], index: number, node: JSONSchemaProps): void {
    this.#count(node, 0);
    list[index] = copyJson(readDefault(node) ?? null);
    this.#items.push([list, index]);
  }

  /** Throws if the object has too many values because of the defaults. */
  assertFits(object: JsonObject): void {
    if (this.#values > 0 && hasTooManyValues(object)) throw this.#tooManyValues();
  }

  /** Removes all defaults, the last ones first. */
  undo(): void {
    for (const [object, name] of this.#members.reverse()) delete object[name];
    for (const [list, index] of this.#items) list[index] = null;
  }

  #count(node: JSONSchemaProps, nameBytes: number): void {
    const { values, bytes } = getWeight(node);
    this.#values += values;
    this.#bytes += bytes + nameBytes;
    if (this.#values > objectValueLimit) throw this.#tooManyValues();
    if (this.#bytes > completedByteLimit)
      throw new DefaultsTooLarge(this.#completed.definition, `${completedByteLimit} bytes`);
  }

  #tooManyValues(): DefaultsTooLarge {
    const limit = `${objectValueLimit} values (members of objects and elements of lists)`;
    return new DefaultsTooLarge(this.#completed.definition, limit);
  }
}
