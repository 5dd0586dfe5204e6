import { isDeepStrictEqual } from 'node:util';
import { isObjectValue, memberAt, type ObjectValue, type Value } from './exact-json.ts';

type Step = string | number;

/**
 * Puts back what the base object has at each field that a refusal names, or takes it out where the base object has
 * nothing; returns whether that changed anything. A field that is missing, or already that of the base object, stands
 * for the nearest member above it that can change.
 */
export function repairObject(object: ObjectValue, base: ObjectValue, fields: readonly string[]): boolean {
  const before = structuredClone(object);
  // Elements of lists go from the end, so that the positions before them stay.
  for (const field of [...fields].sort(byPlaceFromTheEnd)) resetAt(object, base, stepsTo(field));
  return !isDeepStrictEqual(object, before);
}

/** Whether an object has the field that a refusal names, or could have it: something above it is an object or a list. */
export function canHave(object: ObjectValue, field: string): boolean {
  const [first] = stepsTo(field);
  return first !== undefined && (Object.hasOwn(object, first) || stepsTo(field).length <= 2);
}

/** The steps of a path such as `spec.ports[0].name`, `data[a.b]`. */
export function stepsTo(field: string): Step[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inBrackets, name]) =>
    inBrackets === undefined ? (name ?? '') : /^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets,
  );
}

function resetAt(object: ObjectValue, base: ObjectValue, steps: readonly Step[]): void {
  for (let length = steps.length; length > 0; length--) {
    const path = steps.slice(0, length);
    if (memberAt(object, path) === undefined) continue;
    const original = memberAt(base, path);
    if (isDeepStrictEqual(memberAt(object, path), original)) continue;
    setAt(object, path, original === undefined ? undefined : structuredClone(original));
    return;
  }
}

function setAt(object: ObjectValue, path: readonly Step[], value: Value | undefined): void {
  const parent = memberAt(object, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(last), 1, ...(value === undefined ? [] : [value]));
  else if (isObjectValue(parent) && value === undefined) Reflect.deleteProperty(parent, last);
  else if (isObjectValue(parent) && value !== undefined) parent[last] = value;
}

function byPlaceFromTheEnd(one: string, other: string): number {
  const [a, b] = [stepsTo(one), stepsTo(other)];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [left, right] = [a[i], b[i]];
    if (typeof left === 'number' && typeof right === 'number' && left !== right) return right - left;
  }
  return b.length - a.length;
}
