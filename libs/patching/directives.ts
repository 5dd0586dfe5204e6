import { isJsonObject, type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import { patchMalformed, patchRejected } from './patch-error.ts';

/** Key of the directive of an object or list: `replace`, `delete` or `merge`. */
export const patchDirective = '$patch';

const retainKeysDirective = '$retainKeys';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

/** Most objects of a patch have no list directives. */
const noLists: ReadonlyMap<string, JsonValue[]> = new Map();

/** An object of a strategic merge patch, its directives separated from its content. */
export interface PatchObject {
  readonly patch: 'replace' | 'delete' | 'merge' | undefined;
  readonly retainKeys: ReadonlySet<string> | undefined;
  /** By field: the elements of its list in the requested order. */
  readonly order: ReadonlyMap<string, JsonValue[]>;
  /** By field: the elements to remove from its list of scalars. */
  readonly deletions: ReadonlyMap<string, JsonValue[]>;
  readonly content: JsonObject;
}

/**
 * Separates the directives of an object of a patch from its content; throws for malformed ones: BadRequest for `$retainKeys`,
 * Invalid (422) for others, and Invalid for content that `$retainKeys` does not name. With `isNew` the last error is attributed
 * to the field `patch`.
 */
export function readPatchObject(
  object: JsonObject,
  { isNew = false }: { readonly isNew?: boolean } = {},
): PatchObject {
  let order: Map<string, JsonValue[]> | undefined;
  let deletions: Map<string, JsonValue[]> | undefined;
  const content: JsonObject = {};
  let patch: PatchObject['patch'];
  let retainKeys: ReadonlySet<string> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key]!;
    if (key === patchDirective) patch = readAction(value);
    else if (key === retainKeysDirective) retainKeys = readRetainKeys(value);
    else if (key.startsWith(orderPrefix)) {
      order ??= new Map();
      order.set(key.slice(orderPrefix.length), readList(key, value));
    } else if (key.startsWith(deletePrefix)) {
      deletions ??= new Map();
      deletions.set(key.slice(deletePrefix.length), readList(key, value));
    } else setOwnProperty(content, key, value);
  }
  const stray = retainKeys && strayKey(content, retainKeys);
  if (stray !== undefined) {
    const why = `the patch sets ${stray.slice(0, 128)}, which ${retainKeysDirective} does not name`;
    throw isNew ? patchMalformed(why) : patchRejected(why);
  }
  return { patch, retainKeys, order: order ?? noLists, deletions: deletions ?? noLists, content };
}

/** Returns a value of a patch that has no counterpart in the document, without directives and without nulls in objects. */
export function withoutDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter(item => !isDirectiveItem(item)).map(withoutDirectives);
  if (!isJsonObject(value)) return value;
  const { patch, content } = readPatchObject(value, { isNew: true });
  const cleaned: JsonObject = {};
  if (patch === 'delete') return cleaned;
  for (const key of Object.keys(content)) {
    if (content[key] !== null) setOwnProperty(cleaned, key, withoutDirectives(content[key]!));
  }
  return cleaned;
}

/** Whether an element of a patched list is a directive instead of content. */
export function isDirectiveItem(item: JsonValue): item is JsonObject {
  return isJsonObject(item) && Object.hasOwn(item, patchDirective);
}

function readAction(value: JsonValue): 'replace' | 'delete' | 'merge' {
  if (value === 'replace' || value === 'delete' || value === 'merge') return value;
  throw patchRejected(`${patchDirective} must be replace, delete or merge`);
}

function readRetainKeys(value: JsonValue): ReadonlySet<string> {
  const texts = Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
  if (!Array.isArray(value) || texts.length !== value.length)
    throw badRequest(`error decoding patch: ${retainKeysDirective} must be a list of strings`);
  return new Set(texts);
}

function readList(key: string, value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw patchRejected(`${key.slice(0, 128)} must be a list`);
}

function strayKey(content: JsonObject, retainKeys: ReadonlySet<string>): string | undefined {
  return Object.keys(content).find(key => content[key] !== null && !retainKeys.has(key));
}
