import {
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwnProperty,
} from '@binnacle/api-objects';

/**
 * Applies a JSON merge patch (RFC 7386) and answers the new document; neither argument is changed.
 * Members of the patch replace those of the document, objects merge, null removes; anything but an object replaces the document.
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return copyJson(patch);
  return mergeObjects(isJsonObject(document) ? document : {}, patch);
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
