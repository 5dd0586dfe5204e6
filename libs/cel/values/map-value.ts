import type { ObjectType } from '../types/type.ts';
import { CelError } from './cel-error.ts';
import { Uint } from './uint.ts';
import { MapValue, type Reader, type Value } from './value.ts';

/** Returns the member and reader of a declared field; undefined for an undeclared field. */
export type FieldReader = (field: string) => { readonly member: string; readonly read: Reader } | undefined;

/** A view of a JSON object as a map with string keys. */
export class JsonMapValue extends MapValue {
  readonly typeName = 'map';
  readonly raw: Readonly<Record<string, unknown>>;
  readonly read: Reader;
  #keys: string[] | undefined;

  constructor(raw: Readonly<Record<string, unknown>>, read: Reader) {
    super();
    this.raw = raw;
    this.read = read;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: Value): Value | undefined {
    return typeof key === 'string' ? this.field(key) : undefined;
  }

  field(name: string): Value | undefined {
    return Object.hasOwn(this.raw, name) ? this.read(this.raw[name]) : undefined;
  }

  keys(): readonly string[] {
    this.#keys ??= Object.keys(this.raw);
    return this.#keys;
  }

  entry(key: Value): Value {
    return this.get(key) ?? null;
  }
}

/** A view of a JSON object with declared fields; a null member counts as unset. */
export class ObjectValue extends MapValue {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly type: ObjectType;
  /** Readers of the type's fields. */
  readonly readers: FieldReader;
  /** Reads members without a declared field, for comparisons of objects. */
  readonly readUndeclared: Reader;

  constructor(
    raw: Readonly<Record<string, unknown>>,
    type: ObjectType,
    readers: { fields: FieldReader; undeclared: Reader },
  ) {
    super();
    this.raw = raw;
    this.type = type;
    this.readers = readers.fields;
    this.readUndeclared = readers.undeclared;
  }

  get typeName(): string {
    return this.type.name;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: Value): Value | undefined {
    return typeof key === 'string' ? this.field(key) : undefined;
  }

  field(name: string): Value | undefined {
    const field = this.readers(name);
    return field === undefined ? undefined : this.member(field);
  }

  /** Reads the member of a declared field; undefined if it is not set. */
  member(field: { readonly member: string; readonly read: Reader }): Value | undefined {
    const raw = this.raw[field.member];
    if (raw === undefined || raw === null || !Object.hasOwn(this.raw, field.member)) return undefined;
    return field.read(raw);
  }

  /** Returns the set members. */
  keys(): readonly string[] {
    return Object.keys(this.raw).filter(member => this.raw[member] !== null);
  }

  entry(key: Value): Value {
    if (typeof key !== 'string' || !Object.hasOwn(this.raw, key)) return null;
    return this.field(key) ?? this.readUndeclared(this.raw[key]);
  }
}

/** A map created by an expression; keys are booleans, numbers and strings. */
export class LiteralMapValue extends MapValue {
  readonly typeName = 'map';
  readonly #entries: ReadonlyMap<string, readonly [Value, Value]>;

  constructor(entries: ReadonlyMap<string, readonly [Value, Value]>) {
    super();
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const text = mapKey(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }

  field(name: string): Value | undefined {
    return this.#entries.get(`s${name}`)?.[1];
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  entry(key: Value): Value {
    return this.get(key) ?? null;
  }
}

/**
 * Returns a text that identifies a key: equal numbers of different types are one key. Undefined for a value that cannot be a key.
 */
function mapKey(key: Value): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'boolean':
      return key ? 'true' : 'false';
    case 'bigint':
      return `n${key}`;
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
    default:
      return key instanceof Uint ? `n${key.value}` : undefined;
  }
}

/** Creates a map of entries, or an error for an invalid or duplicate key. */
export function mapOfEntries(pairs: readonly (readonly [Value, Value])[]): MapValue | CelError {
  const entries = new Map<string, readonly [Value, Value]>();
  for (const pair of pairs) {
    const key = typeof pair[0] === 'number' ? undefined : mapKey(pair[0]);
    if (key === undefined) return new CelError('unsupported key type');
    if (entries.has(key)) return new CelError('a key of the map is repeated');
    entries.set(key, pair);
  }
  return new LiteralMapValue(entries);
}
