import { copyJson, isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { isDirectiveItem, patchDirective, withoutDirectives } from './directives.ts';
import { assertSameOrder, type Identity, identityFromItem, orderElements } from './element-order.ts';
import { patchRejected } from './patch-error.ts';
import { elementNode, type PatchNode } from './patch-schema.ts';

/** The context of merging a list. */
interface MergeListContext {
  readonly node: PatchNode;
  /** The order requested by `$setElementOrder`. */
  readonly wanted: readonly JsonValue[] | undefined;
  readonly mergeObject: (original: JsonObject, patch: JsonObject, node: PatchNode) => JsonObject;
}

/** Merges a list of a patch into a list of the document: objects by merge key, scalars as a set. */
export function mergeList(original: JsonValue[], patch: JsonValue[], context: MergeListContext): JsonValue[] {
  const hasObjects = patch.some(isJsonObject) || original.some(isJsonObject);
  const mergeKey = hasObjects ? context.node.mergeKey : undefined;
  if (hasObjects && mergeKey === undefined)
    throw patchRejected('a list of objects without a merge key cannot be merged');
  const items = patch.filter(item => !isDirectiveItem(item));
  if (context.wanted !== undefined) assertSameOrder(items, context.wanted, mergeKey);
  const { base, replaced } =
    mergeKey === undefined ? { base: original, replaced: false } : obeyDirectives(original, patch, mergeKey);
  if (replaced) return items.map(withoutDirectives);
  const merged =
    mergeKey === undefined ? union(base, items) : mergeByKey(base, items, { ...context, mergeKey });
  // If the patch requests an order and deletes elements, the first new elements count as the last current ones.
  const current = context.wanted === undefined ? original : merged.slice(0, original.length);
  return orderElements(merged, { wanted: context.wanted ?? items, current, mergeKey });
}

function obeyDirectives(
  original: JsonValue[],
  patch: JsonValue[],
  mergeKey: string,
): { base: JsonValue[]; replaced: boolean } {
  const deleted = new Set<Identity>();
  let replaced = false;
  for (const item of patch) {
    if (!isDirectiveItem(item)) continue;
    const action = item[patchDirective];
    if (action === 'delete') deleted.add(identityFromItem(item, mergeKey));
    else if (action === 'replace') replaced = true;
    else throw patchRejected(`${patchDirective} of an element of a list must be replace or delete`);
  }
  if (deleted.size === 0) return { base: original, replaced };
  return { base: original.filter(item => !deleted.has(identityFromItem(item, mergeKey))), replaced };
}

function union(original: readonly JsonValue[], items: readonly JsonValue[]): JsonValue[] {
  if (items.length === 0) return [...original];
  const distinct = new Map<Identity, JsonValue>();
  for (const item of original) addTo(distinct, item);
  for (const item of items) addTo(distinct, copyJson(item));
  return [...distinct.values()];
}

function addTo(distinct: Map<Identity, JsonValue>, item: JsonValue): void {
  const identity = identityFromItem(item, undefined);
  if (!distinct.has(identity)) distinct.set(identity, item);
}

function mergeByKey(
  original: readonly JsonValue[],
  items: readonly JsonValue[],
  context: MergeListContext & { readonly mergeKey: string },
): JsonValue[] {
  const { mergeKey, mergeObject } = context;
  const node = elementNode(context.node);
  const merged = [...original];
  const positions = new Map<Identity, number>();
  merged.forEach((item, position) => {
    const identity = identityFromItem(item, mergeKey);
    if (!positions.has(identity)) positions.set(identity, position);
  });
  for (const item of items) {
    const identity = identityFromItem(item, mergeKey);
    const position = positions.get(identity);
    if (position === undefined) {
      positions.set(identity, merged.push(withoutDirectives(item)) - 1);
    } else {
      // Both contain the merge key, so both are objects.
      merged[position] = mergeObject(merged[position] as JsonObject, item as JsonObject, node);
    }
  }
  return merged;
}
