import {
  copyJson,
  copyJsonSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwnProperty,
} from '@binnacle/api-objects';

/**
 * Applies a JSON merge patch (RFC 7386) and returns the new document; neither argument is modified. Members of the patch replace
 * those of the document, objects merge, null removes; a patch that is not an object replaces the document.
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return copyJson(patch);
  return mergeObjects(isJsonObject(document) ? document : {}, patch);
}

/** Number of members merged between two yields, in well under 1 ms. */
const membersPerStep = 2000;

/** Applies a JSON merge patch to a long document as `applyMergePatch` does. Yields between steps of bounded size. */
export function* mergePatchSteps(document: JsonValue, patch: JsonValue): Generator<void, JsonValue> {
  return yield* mergeSteps(document, patch, { members: 0 });
}

function* mergeSteps(
  document: JsonValue,
  patch: JsonValue,
  count: { members: number },
): Generator<void, JsonValue> {
  if (!isJsonObject(patch)) return yield* copyJsonSteps(patch);
  const before = isJsonObject(document) ? document : {};
  const merged: JsonObject = {};
  // Listing the keys of a large object is a step of its own.
  const keys = Object.keys(before);
  if (keys.length > membersPerStep) yield;
  for (const key of keys) {
    if (++count.members % membersPerStep === 0) yield;
    if (!Object.hasOwn(patch, key)) setOwnProperty(merged, key, yield* copied(before[key]!));
    else if (patch[key] !== null)
      setOwnProperty(merged, key, yield* mergeSteps(before[key]!, patch[key]!, count));
  }
  for (const key of Object.keys(patch)) {
    if (++count.members % membersPerStep === 0) yield;
    if (Object.hasOwn(before, key) || patch[key] === null) continue;
    setOwnProperty(merged, key, yield* mergeSteps(null, patch[key]!, count));
  }
  return merged;
}

function* copied(value: JsonValue): Generator<void, JsonValue> {
  return typeof value === 'object' ? yield* copyJsonSteps(value) : value;
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const key of Object.keys(document)) {
    if (!Object.hasOwn(patch, key)) setOwnProperty(merged, key, copyJson(document[key]!));
    else if (patch[key] !== null) setOwnProperty(merged, key, applyMergePatch(document[key]!, patch[key]!));
  }
  for (const key of Object.keys(patch)) {
    if (Object.hasOwn(document, key) || patch[key] === null) continue;
    setOwnProperty(merged, key, applyMergePatch(null, patch[key]!));
  }
  return merged;
}
