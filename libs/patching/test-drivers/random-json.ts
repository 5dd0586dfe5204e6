import { isJsonObject, type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { pickOne, pickSome, type Random } from './random.ts';

const names = ['a', 'b', 'c~/d', '', '__proto__', '0'];

/** Returns a JSON value of at most the given depth, without nulls in its objects. */
export function randomJson(random: Random, depth: number): JsonValue {
  const kind = depth === 0 ? random(3) : random(6);
  if (kind === 0) return random(3);
  if (kind === 1) return `t${random(3)}`;
  if (kind === 2) return random(2) === 0;
  if (kind === 3) return Array.from({ length: random(4) }, () => randomJson(random, depth - 1));
  return randomJsonObject(random, depth - 1);
}

/** Returns a JSON object with members from `randomJson`. */
export function randomJsonObject(random: Random, depth: number): JsonObject {
  const object: JsonObject = {};
  for (const name of pickSome(random, names)) setOwnProperty(object, name, randomJson(random, depth));
  return object;
}

/** Returns a merge patch: an object with nulls among its members. */
export function randomMergePatch(random: Random, depth: number): JsonObject {
  const patch = randomJsonObject(random, depth);
  for (const name of Object.keys(patch)) {
    if (random(4) === 0) setOwnProperty(patch, name, null);
    else if (isJsonObject(patch[name]!) && depth > 0)
      setOwnProperty(patch, name, randomMergePatch(random, depth - 1));
  }
  return patch;
}

/** Returns the merge patch that turns one object into another; neither contains nulls. */
export function mergePatchBetween(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const name of Object.keys(from)) if (!Object.hasOwn(to, name)) setOwnProperty(patch, name, null);
  for (const name of Object.keys(to)) {
    const [before, after] = [Object.hasOwn(from, name) ? from[name] : undefined, to[name]!];
    const both = isJsonObject(before) && isJsonObject(after);
    setOwnProperty(patch, name, both ? mergePatchBetween(before, after) : after);
  }
  return patch;
}

/** Freezes a value deeply, so that any modification throws. */
export function frozen<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** Whether a value is or contains a frozen object or list, which would be shared with the arguments. */
export function holdsFrozen(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.isFrozen(value) || Object.values(value).some(holdsFrozen);
}

/** Returns the paths of all values nested in a container. */
export function listPaths(value: JsonValue, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([step, child]) => {
    const below = [...path, step];
    return [below, ...listPaths(child, below)];
  });
}

/** Returns a random container of a value and its path. */
export function randomContainer(
  random: Random,
  value: JsonValue,
): { readonly path: readonly string[]; readonly container: JsonObject | JsonValue[] } {
  const paths = [[], ...listPaths(value)].filter(path => typeof valueAt(value, path) === 'object');
  const path = pickOne(random, paths);
  return { path, container: valueAt(value, path) as JsonObject | JsonValue[] }; // Filtered above.
}

/** Returns the value at an existing path. */
export function valueAt(value: JsonValue, path: readonly string[]): JsonValue {
  let found = value;
  for (const step of path) found = Reflect.get(found as object, step) as JsonValue; // The path exists.
  return found;
}

/** Formats a path as a JSON pointer (RFC 6901). */
export function pointerFromPath(path: readonly string[]): string {
  return path.map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
