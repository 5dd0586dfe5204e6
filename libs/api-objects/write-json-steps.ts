import type { JsonValue } from './json.ts';

/** Values with no more values below them are written at once: well below a millisecond. */
const valuesAtOnce = 1000;

/**
 * Writes a value as JSON text as `JSON.stringify` does; members without a value are left out. Yields between steps of bounded size,
 * unless one text is longer.
 */
export function* writeJsonSteps(value: JsonValue): Generator<void, string> {
  const large: LargeContainers = new Map();
  if (valuesBelow(value, large) <= valuesAtOnce) return JSON.stringify(value);
  const parts: string[] = [];
  yield* writeLarge(value, parts, large);
  return parts.join('');
}

/** The keys of containers that are known to have too many values below them: to ask for keys takes long itself. */
type LargeContainers = Map<JsonValue, readonly (string | number)[]>;

function* writeLarge(value: JsonValue, parts: string[], large: LargeContainers): Generator<void, void> {
  const isList = Array.isArray(value);
  let isFirst = true;
  let values = 0;
  parts.push(isList ? '[' : '{');
  yield;
  for (const key of large.get(value) ?? []) {
    const member = (value as { readonly [key: string]: JsonValue | undefined })[key]; // a position or a key of it
    if (member === undefined && !isList) continue;
    const comma = isFirst ? '' : ',';
    isFirst = false;
    parts.push(isList ? comma : `${comma}${JSON.stringify(key)}:`);
    const below = valuesBelow(member, large);
    if (below > valuesAtOnce && member !== undefined) yield* writeLarge(member, parts, large);
    else parts.push(JSON.stringify(member ?? null));
    values += 1 + Math.min(below, valuesAtOnce);
    if (values < valuesAtOnce) continue;
    values = 0;
    yield;
  }
  parts.push(isList ? ']' : '}');
}

/** Counts the values below one, no further than matters. */
function valuesBelow(value: JsonValue | undefined, large: LargeContainers): number {
  if (typeof value !== 'object' || value === null) return 0;
  return large.has(value) ? valuesAtOnce + 1 : count(value, large);
}

/** Counts the values below a container likewise, and notes it if there are too many. */
function count(container: JsonValue[] | { [key: string]: JsonValue }, large: LargeContainers): number {
  const keys = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
  let values = keys.length;
  for (const key of keys) {
    if (values > valuesAtOnce) break;
    const member = (container as { readonly [key: string]: JsonValue })[key]; // a position or a key of it
    if (typeof member === 'object' && member !== null) values += count(member, large);
  }
  if (values > valuesAtOnce) large.set(container, keys);
  return values;
}
