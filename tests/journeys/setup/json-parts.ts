import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';

/** The value at a path of keys and indexes; undefined where the way ends before. */
export function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as { [key: string | number]: JsonValue | undefined })[key]; // An object or a list.
  }
  return found;
}

/** The object at a path of keys and indexes; a test in which there is none fails. */
export function objectAt(value: JsonValue | undefined, ...path: (string | number)[]): JsonObject {
  const found = at(value, ...path);
  assert.ok(isJsonObject(found), `no object at /${path.join('/')} of ${JSON.stringify(value)}`);
  return found;
}

/** The list of objects at a path of keys and indexes; a test in which there is none fails. */
export function objectsAt(value: JsonValue | undefined, ...path: (string | number)[]): JsonObject[] {
  const found = at(value, ...path);
  assert.ok(
    Array.isArray(found) && found.every(isJsonObject),
    `no list of objects at /${path.join('/')} of ${JSON.stringify(value)}`,
  );
  return found;
}

/** The list at a path of keys and indexes; a test in which there is none fails. */
export function valuesAt(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue[] {
  const found = at(value, ...path);
  assert.ok(Array.isArray(found), `no list at /${path.join('/')} of ${JSON.stringify(value)}`);
  return found;
}

/** The text at a path of keys and indexes; a test in which there is none fails. */
export function textAt(value: JsonValue | undefined, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  assert.ok(typeof found === 'string', `no text at /${path.join('/')} of ${JSON.stringify(value)}`);
  return found;
}

/** The list of texts at a path of keys and indexes; a test in which there is none fails. */
export function textsAt(value: JsonValue | undefined, ...path: (string | number)[]): string[] {
  return valuesAt(value, ...path).map(each => textAt(each));
}
