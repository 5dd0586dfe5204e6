import type { CelError } from './cel-error.ts';
import type { Duration } from './duration.ts';
import type { Timestamp } from './timestamp.ts';
import type { Uint } from './uint.ts';
import type { UrlValue } from './url-value.ts';

/**
 * The result of an expression: an int is a bigint within 64 bits, a double a number, bytes a Uint8Array; lists and maps may be
 * views of JSON.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint
  | Uint8Array
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | TypeValue
  | UrlValue
  | CelError;

/** A type as a value; equal types have equal names. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A map, or an object with declared fields. */
export abstract class MapValue {
  /** The name that `type()` returns. */
  abstract readonly typeName: string;
  abstract readonly size: number;
  /** Returns the value of a key; undefined if it is missing. */
  abstract get(key: Value): Value | undefined;
  /** Returns the value of `map.name`: that of the key, or of the field of an object. */
  abstract field(name: string): Value | undefined;
  /** Returns all keys; for an object the JSON member names. */
  abstract keys(): readonly Value[];
  /** Returns the value of a key that `keys` returned. */
  abstract entry(key: Value): Value;
}

/** Converts a JSON value, which is read in place; a value that does not match its type becomes an error. */
export type Reader = (raw: unknown) => Value;

/** How a list is compared and added: by position, as a set, or by the keys of its items (JSON members). */
export type ListMark = 'atomic' | 'set' | { readonly mapKeys: readonly string[] };

/** A list of values, of JSON values read in place, or the concatenation of two lists. */
export class ListValue {
  readonly size: number;
  readonly mark: ListMark;
  readonly #items: readonly unknown[];
  readonly #read: Reader | undefined;
  readonly #rest: ListValue | undefined;
  readonly #first: ListValue | undefined;

  private constructor(parts: {
    items: readonly unknown[];
    read: Reader | undefined;
    mark: ListMark;
    first?: ListValue;
    rest?: ListValue;
  }) {
    this.#items = parts.items;
    this.#read = parts.read;
    this.#first = parts.first;
    this.#rest = parts.rest;
    this.mark = parts.mark;
    this.size =
      parts.first === undefined || parts.rest === undefined
        ? parts.items.length
        : parts.first.size + parts.rest.size;
  }

  /** Creates a list of values, which must not be modified afterwards. */
  static of(values: readonly Value[], mark: ListMark = 'atomic'): ListValue {
    return new ListValue({ items: values, read: undefined, mark });
  }

  /** Creates a view of a JSON array. */
  static view(items: readonly unknown[], read: Reader, mark: ListMark): ListValue {
    return new ListValue({ items, read, mark });
  }

  /** Concatenates two lists without copying; the depth of expressions bounds the nesting. */
  static concatenation(first: ListValue, rest: ListValue): ListValue {
    if (first.size === 0 && rest.mark === 'atomic') return rest;
    if (rest.size === 0) return first;
    return new ListValue({ items: [], read: undefined, mark: 'atomic', first, rest });
  }

  /** Returns the item at an index, which must be below the size. */
  get(index: number): Value | CelError {
    if (this.#first !== undefined && this.#rest !== undefined) {
      const { size } = this.#first;
      return index < size ? this.#first.get(index) : this.#rest.get(index - size);
    }
    const item = this.#items[index];
    // Without a reader the items are values.
    return this.#read === undefined ? (item as Value) : this.#read(item);
  }

  /** Whether both are views of the same array. */
  isSameAs(other: ListValue): boolean {
    return this === other || (this.#read !== undefined && this.#items === other.#items);
  }

  /** The array of a JSON view; undefined for other lists. */
  get raw(): readonly unknown[] | undefined {
    return this.#read === undefined ? undefined : this.#items;
  }
}
