import type { CelError } from './cel-error.ts';
import type { Duration } from './duration.ts';
import type { Timestamp } from './timestamp.ts';
import type { Uint } from './uint.ts';
import type { UrlValue } from './url-value.ts';

/**
 * The result of an expression: int is a bigint within 64 bits, double a number, bytes a Uint8Array; lists and maps may be
 * views of JSON that is read in place.
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

/** A type as a value: equal by name. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A map, or an object with declared fields. */
export abstract class MapValue {
  /** The name that `type()` gives. */
  abstract readonly typeName: string;
  abstract readonly size: number;
  /** The value of a key; undefined for one that is not there. */
  abstract get(key: Value): Value | undefined;
  /** The value of `map.name`: as `get`, and for objects the field of that name. */
  abstract field(name: string): Value | undefined;
  /** All keys; for an object the members of the JSON object. */
  abstract keys(): readonly Value[];
  /** The value of a key that `keys` gave. */
  abstract entry(key: Value): Value;
}

/** Makes a value of a JSON value that is read in place; what does not fit its type becomes an error. */
export type Reader = (raw: unknown) => Value;

/** How a list of a schema compares and adds: by position, as a set, or by the keys of its items (members of JSON). */
export type ListMark = 'atomic' | 'set' | { readonly mapKeys: readonly string[] };

/** A list: of values, of JSON that is read in place, or two lists one after the other. */
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

  /** A list of values, which must not change afterwards. */
  static of(values: readonly Value[], mark: ListMark = 'atomic'): ListValue {
    return new ListValue({ items: values, read: undefined, mark });
  }

  /** A view of a JSON array. */
  static view(items: readonly unknown[], read: Reader, mark: ListMark): ListValue {
    return new ListValue({ items, read, mark });
  }

  /** Both lists, not copied: nesting is bounded by the depth of expressions. */
  static concatenation(first: ListValue, rest: ListValue): ListValue {
    if (first.size === 0 && rest.mark === 'atomic') return rest;
    if (rest.size === 0) return first;
    return new ListValue({ items: [], read: undefined, mark: 'atomic', first, rest });
  }

  /** The item at a place from 0 to below the size. */
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

  /** The array under a view of JSON, undefined for other lists. */
  get raw(): readonly unknown[] | undefined {
    return this.#read === undefined ? undefined : this.#items;
  }
}
