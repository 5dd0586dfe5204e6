/**
 * Any value that JSON text can represent.
 *
 * A bigint is a 64-bit integer beyond ±(2^53 - 1), where doubles are not exact; all other numbers are of type number. Therefore
 * equal integers are equal by `===`, in maps, sets and `switch`, regardless of their notation, and a value survives encoding and
 * parsing unchanged. `readJson` and the `numberFrom…` functions create such values; `JSON.stringify` encodes them exactly. `<`
 * and `>` compare both types; arithmetic must not mix them, which the type checker enforces.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** A JSON object: own string keys with JSON values. */
export type JsonObject = { [key: string]: JsonValue };

/** Whether a value is a JSON object: not null, an array or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own property; properties of the prototype (`constructor`, `toString`) count as absent. */
export function ownProperty(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property of any name, including `__proto__`, without changing the prototype. */
export function setOwnProperty(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Copies a JSON value deeply. */
export function copyJson<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return copyContainer(value) as T; // The copy of a container has the same shape.
}

function copyContainer(value: JsonValue[] | JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map(copyJson);
  // A spread copies the members at once; adding them one by one makes room several times.
  const copy = { ...value };
  for (const key in copy) {
    const member = copy[key]!;
    if (typeof member === 'object' && member !== null) setOwnProperty(copy, key, copyContainer(member));
  }
  return copy;
}

/** Number of values copied between two yields, about 0.5 ms. */
const valuesPerStep = 2000;

/** Number of values processed so far. */
interface StepCount {
  values: number;
}

/** Copies a JSON value as `copyJson` does. Yields between steps of bounded size. */
export function* copyJsonSteps<T extends JsonValue>(value: T): Generator<void, T> {
  if (typeof value !== 'object' || value === null) return value;
  return (yield* copySteps(value, Object.keys(value), { values: 0 })) as T; // The copy has the same shape.
}

function* copySteps(
  value: JsonValue[] | JsonObject,
  keys: readonly string[],
  count: StepCount,
): Generator<void, JsonValue> {
  const copy: JsonValue[] | JsonObject = Array.isArray(value) ? [] : {};
  if (keys.length > valuesPerStep) yield;
  for (const key of keys) {
    const member = (value as JsonObject)[key]!; // An index of a list, or the name of a member.
    const below = listKeys(member);
    const copied = below.length > 0 ? yield* copySteps(member as JsonObject, below, count) : copyJson(member); // It has keys.
    if (Array.isArray(copy)) copy.push(copied);
    else setOwnProperty(copy, key, copied);
    if (++count.values % valuesPerStep === 0) yield;
  }
  return copy;
}

const noKeys: readonly string[] = [];

/** Returns the keys or indexes of a container. For a large object this is a step of its own and is not repeated. */
function listKeys(value: JsonValue | undefined): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : noKeys;
}

/** Compares two JSON values as `equalJson` does. Yields between steps of bounded size. */
export function* equalJsonSteps(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): Generator<void, boolean> {
  const keys = listKeys(a);
  return keys.length === 0
    ? equalJson(a, b)
    : yield* equalSteps(a as JsonObject, b, { keys, count: { values: 0 } }); // It has keys.
}

function* equalSteps(
  a: JsonObject,
  b: JsonValue | undefined,
  { keys, count }: { readonly keys: readonly string[]; readonly count: StepCount },
): Generator<void, boolean> {
  if (a === b) return true;
  if (typeof b !== 'object' || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  if (keys.length > valuesPerStep) yield;
  if (keys.length !== Object.keys(b).length) return false;
  if (keys.length > valuesPerStep) yield;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    const member = a[key];
    const other = (b as JsonObject)[key]; // Both are objects, or both are lists.
    const below = listKeys(member);
    const isEqual =
      below.length > 0
        ? yield* equalSteps(member as JsonObject, other, { keys: below, count }) // It has keys.
        : equalJson(member, other);
    if (!isEqual) return false;
    if (++count.values % valuesPerStep === 0) yield;
  }
  return true;
}

/** Compares two JSON values by content, ignoring the order of object keys. */
export function equalJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (Array.isArray(b)) return false;
  return equalMembers(a, b, undefined);
}

/** Compares two JSON objects by content as `equalJson` does, ignoring one member. */
export function equalJsonExcept(a: JsonObject, b: JsonObject, except: string): boolean {
  return a === b || equalMembers(a, b, except);
}

function equalLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
}

/** Allocates nothing, since it runs for every object of every update. */
function equalMembers(a: JsonObject, b: JsonObject, except: string | undefined): boolean {
  let members = 0;
  for (const key in a) {
    if (key === except) continue;
    members++;
    if (!Object.hasOwn(b, key) || !equalJson(a[key], b[key])) return false;
  }
  for (const key in b) if (key !== except) members--;
  return members === 0;
}
