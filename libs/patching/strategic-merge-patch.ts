import {
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwnProperty,
} from '@binnacle/api-objects';
import type { MessageType } from '@binnacle/api-types';
import { badRequest } from '@binnacle/status-errors';
import { type PatchObject, readPatchObject, withoutDirectives } from './directives.ts';
import { mergeList } from './merge-list.ts';
import { memberNode, type PatchNode, rootNode } from './patch-schema.ts';

/**
 * Applies a strategic merge patch by the merge keys and strategies of the message type, and returns the new document; neither
 * argument is modified. Objects merge, null removes, lists are replaced unless their field merges them (by key, or as a set of
 * scalars); new elements come first. Supports the directives `$patch`, `$retainKeys`, `$setElementOrder/x` and
 * `$deleteFromPrimitiveList/x`. Throws BadRequest if patch or document is not an object or `$retainKeys` is not a list of
 * strings; Invalid (422) if another directive is malformed or an element lacks its merge key.
 */
export function applyStrategicMergePatch(
  document: JsonValue,
  patch: JsonValue,
  message: MessageType,
): JsonValue {
  if (!isJsonObject(patch))
    throw badRequest('error decoding patch: a strategic merge patch must be an object');
  if (!isJsonObject(document)) throw badRequest('a strategic merge patch applies to objects only');
  return mergeObject(copyJson(document), patch, rootNode(message));
}

/**
 * Merges an object of a patch into an object of the document, which is modified and returned; the result shares only scalars with
 * the patch.
 */
function mergeObject(original: JsonObject, patch: JsonObject, node: PatchNode): JsonObject {
  const parts = readPatchObject(patch);
  if (parts.patch === 'replace') return withoutDirectives(parts.content) as JsonObject; // The result of an object is an object.
  if (parts.patch === 'delete') return {};
  if (parts.retainKeys !== undefined) retain(original, parts.retainKeys);
  for (const key of Object.keys(parts.content))
    mergeMember(original, key, { parts, node: memberNode(node, key) });
  for (const [key, wanted] of parts.order) {
    if (!Object.hasOwn(parts.content, key))
      reorder(original, key, { wanted, parts, node: memberNode(node, key) });
  }
  for (const [key, values] of parts.deletions) deleteScalars(original, key, values);
  return original;
}

function retain(original: JsonObject, keys: ReadonlySet<string>): void {
  for (const key of Object.keys(original)) if (!keys.has(key)) delete original[key];
}

function mergeMember(
  original: JsonObject,
  key: string,
  context: { parts: PatchObject; node: PatchNode },
): void {
  const { parts, node } = context;
  const value = parts.content[key]!;
  if (value === null) {
    delete original[key];
    return;
  }
  const current = Object.hasOwn(original, key) ? original[key] : undefined;
  const wanted = parts.order.get(key);
  setOwnProperty(original, key, mergeValue(current, value, { node, wanted }));
}

function mergeValue(
  current: JsonValue | undefined,
  value: JsonValue,
  context: { node: PatchNode; wanted: JsonValue[] | undefined },
): JsonValue {
  const { node, wanted } = context;
  const replaces = node.strategy.includes('replace');
  if (isJsonObject(value) && isJsonObject(current) && !replaces) return mergeObject(current, value, node);
  if (
    Array.isArray(value) &&
    node.strategy.includes('merge') &&
    (Array.isArray(current) || wanted !== undefined)
  ) {
    return mergeList(Array.isArray(current) ? current : [], value, { node, wanted, mergeObject });
  }
  return withoutDirectives(value);
}

function reorder(
  original: JsonObject,
  key: string,
  context: { wanted: JsonValue[]; parts: PatchObject; node: PatchNode },
): void {
  const current = Object.hasOwn(original, key) ? original[key] : undefined;
  if (!Array.isArray(current) || !context.node.strategy.includes('merge')) return;
  const { node, wanted } = context;
  setOwnProperty(original, key, mergeList(current, [], { node, wanted, mergeObject }));
}

function deleteScalars(original: JsonObject, key: string, values: readonly JsonValue[]): void {
  const current = Object.hasOwn(original, key) ? original[key] : undefined;
  if (!Array.isArray(current)) return;
  const gone = new Set(values.map(value => JSON.stringify(value)));
  setOwnProperty(
    original,
    key,
    current.filter(item => !gone.has(JSON.stringify(item))),
  );
}
