import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwnProperty,
} from '@binnacle/api-objects';

/** The JSON merge patch that makes the one object of the other (RFC 7386); lists are replaced as a whole. */
export function createMergePatch(original: JsonObject, edited: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const name of Object.keys(original))
    if (!Object.hasOwn(edited, name)) setOwnProperty(patch, name, null);
  for (const [name, value] of Object.entries(edited)) {
    const before = Object.hasOwn(original, name) ? original[name] : undefined;
    if (before !== undefined && equalJson(before, value)) continue;
    const change = isJsonObject(before) && isJsonObject(value) ? createMergePatch(before, value) : value;
    setOwnProperty(patch, name, change);
  }
  return patch;
}

/** An object after a JSON merge patch. */
export function withMergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...object };
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete result[name];
    else if (isJsonObject(change)) {
      const before = Object.hasOwn(object, name) ? object[name] : undefined;
      setOwnProperty(result, name, withMergePatch(isJsonObject(before) ? before : {}, change));
    } else setOwnProperty(result, name, change);
  }
  return result;
}

/** Whether a JSON merge patch replaces a list, of which another client may have changed other items. */
export function replacesList(patch: JsonValue): boolean {
  if (Array.isArray(patch)) return true;
  return isJsonObject(patch) && Object.values(patch).some(replacesList);
}

/** The fields that a JSON merge patch changes and that have become something else between two versions of an object: `spec.names`. */
export function changedByBoth(
  patch: JsonObject,
  versions: readonly [JsonValue, JsonValue],
  path = '',
): string[] {
  return Object.entries(patch).flatMap(([name, change]) => {
    const [before, after] = versions.map(version =>
      isJsonObject(version) && Object.hasOwn(version, name) ? (version[name] ?? null) : null,
    );
    const here = path === '' ? name : `${path}.${name}`;
    if (isJsonObject(change) && isJsonObject(before) && isJsonObject(after))
      return changedByBoth(change, [before, after], here);
    const isSettled = [before, change].some(value => equalJson(value ?? null, after ?? null));
    return isSettled ? [] : [here];
  });
}
