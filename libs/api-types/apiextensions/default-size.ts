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

/** How large a default is with the defaults within it, which are counted and not made. */
interface Size {
  readonly values: number;
  readonly bytes: number;
}

/** The limits of one default and of all defaults of a schema together: each is completed and checked when the definition is written. */
const limits = `${objectValueLimit} values (members of objects and elements of lists) and ${completedByteLimit} bytes`;

/** The findings about defaults that are larger than objects may be with the defaults within them, alone or all together. */
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

/** The nodes that have a default, and where they stand. */
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

/** The sizes of what the nodes of a schema fill in, each found once. */
class Sizes {
  readonly #defaults = new Map<JSONSchemaProps, Size>();
  readonly #empty = new Map<JSONSchemaProps, Size>();

  /** Of the default of a node; nothing where it has none. */
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
      // A member that the object has is not filled in.
      const { values, bytes } = node === undefined ? nothing : this.ofDefault(node);
      size = plus(size, { values: -values, bytes: -bytes });
    }
    return size;
  }

  /** Of what an object gets that has nothing. */
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
