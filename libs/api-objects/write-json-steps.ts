import type { JsonValue } from './json.ts';
import { LargeContainers, valuesAtOnce } from './large-containers.ts';

/**
 * Encodes a value as JSON text as `JSON.stringify` does; undefined members are left out. Yields between steps of bounded size,
 * except within a single long string.
 */
export function* writeJsonSteps(value: JsonValue): Generator<void, string> {
  const large = new LargeContainers();
  if (large.valuesBelow(value) <= valuesAtOnce) return JSON.stringify(value);
  const parts: string[] = [];
  yield* writeLarge(value, parts, large);
  return parts.join('');
}

function* writeLarge(value: JsonValue, parts: string[], large: LargeContainers): Generator<void, void> {
  const isList = Array.isArray(value);
  let isFirst = true;
  let values = 0;
  parts.push(isList ? '[' : '{');
  yield;
  for (const key of large.findKeys(value) ?? []) {
    const member = (value as { readonly [key: string]: JsonValue | undefined })[key]; // An index or key of the value.
    if (member === undefined && !isList) continue;
    const comma = isFirst ? '' : ',';
    isFirst = false;
    parts.push(isList ? comma : `${comma}${JSON.stringify(key)}:`);
    const below = large.valuesBelow(member);
    if (below > valuesAtOnce && member !== undefined) yield* writeLarge(member, parts, large);
    else parts.push(JSON.stringify(member ?? null));
    values += 1 + Math.min(below, valuesAtOnce);
    if (values < valuesAtOnce) continue;
    values = 0;
    yield;
  }
  parts.push(isList ? ']' : '}');
}
