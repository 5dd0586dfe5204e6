import {
  completedByteLimit,
  type FieldError,
  type FieldPath,
  forbiddenField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectValueLimit,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import {
  getAdditionalPropertySchema,
  getItemSchema,
  getPropertyMap,
  listProperties,
  readDefault,
} from './json-schema.ts';

/** The size of a default including nested defaults, which is computed without creating the value. */
interface Size {
  readonly values: number;
  readonly bytes: number;
}

/**
 * The size limits of one default and of all defaults of a schema together: each is completed and validated when the definition is
 * written.
 */
const limits = `${objectValueLimit} values (members of objects and elements of lists) and ${completedByteLimit} bytes`;

/** Validates that defaults, alone and all together, do not exceed the object size limits, including nested defaults. */
export function defaultSizeErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const all = new Map<JSONSchemaProps, FieldPath>();
  collect(schema, path, all);
  const sizes = new Sizes();
  let sum = nothing;
  for (const [node, at] of all) {
    const size = sizes.ofDefault(node);
    if (isTooLarge(size))
      return [forbiddenField(at.child('default'), `must have at most ${limits} with the defaults within it`)];
    sum = plus(sum, size);
  }
  if (!isTooLarge(sum)) return [];
  return [forbiddenField(path, `all defaults together must have at most ${limits} with those within them`)];
}

function isTooLarge({ values, bytes }: Size): boolean {
  return values > objectValueLimit || bytes > completedByteLimit;
}

/** Collects the nodes that have a default, with their paths. */
function collect(schema: JSONSchemaProps, path: FieldPath, all: Map<JSONSchemaProps, FieldPath>): void {
  if (readDefault(schema) !== undefined) all.set(schema, path);
  const items = getItemSchema(schema);
  if (items !== undefined) collect(items, path.child('items'), all);
  const others = getAdditionalPropertySchema(schema);
  if (others !== undefined) collect(others, path.child('additionalProperties'), all);
  for (const [name, node] of listProperties(schema)) collect(node, path.child('properties').key(name), all);
}

const nothing: Size = { values: 0, bytes: 0 };

function plus(a: Size, b: Size): Size {
  return { values: a.values + b.values, bytes: a.bytes + b.bytes };
}

/** The sizes of the values that schema nodes fill in, each computed once. */
class Sizes {
  readonly #defaults = new Map<JSONSchemaProps, Size>();
  readonly #empty = new Map<JSONSchemaProps, Size>();

  /** Returns the size of a node's default; zero if it has none. */
  ofDefault(node: JSONSchemaProps): Size {
    let size = this.#defaults.get(node);
    if (size === undefined) {
      const value = readDefault(node);
      size = value === undefined ? nothing : plus({ values: 1, bytes: 0 }, this.#ofValue(node, value));
      this.#defaults.set(node, size);
    }
    return size;
  }

  #ofValue(schema: JSONSchemaProps | undefined, value: JsonValue): Size {
    if (Array.isArray(value)) return this.#ofList(schema, value);
    if (isJsonObject(value)) return this.#ofObject(schema, value);
    return { values: 0, bytes: typeof value === 'string' ? value.length : 8 };
  }

  #ofList(schema: JSONSchemaProps | undefined, list: readonly JsonValue[]): Size {
    const items = schema && getItemSchema(schema);
    let size: Size = { values: list.length, bytes: list.length };
    for (const item of list) size = plus(size, this.#ofValue(items, item));
    return size;
  }

  #ofObject(schema: JSONSchemaProps | undefined, object: JsonObject): Size {
    const known = schema && getPropertyMap(schema);
    const others = schema && getAdditionalPropertySchema(schema);
    let size = schema === undefined ? nothing : this.#ofEmpty(schema);
    for (const [name, value] of Object.entries(object)) {
      const node = known?.get(name);
      size = plus(size, { values: 1, bytes: name.length });
      size = plus(size, this.#ofValue(node ?? others, value));
      // A default is not filled in for a member that the object has.
      const { values, bytes } = node === undefined ? nothing : this.ofDefault(node);
      size = plus(size, { values: -values, bytes: -bytes });
    }
    return size;
  }

  /** Returns the size of an empty object after defaulting. */
  #ofEmpty(schema: JSONSchemaProps): Size {
    let size = this.#empty.get(schema);
    if (size === undefined) {
      size = nothing;
      for (const [, node] of listProperties(schema)) size = plus(size, this.ofDefault(node));
      this.#empty.set(schema, size);
    }
    return size;
  }
}
