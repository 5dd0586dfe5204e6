import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwnProperty,
} from '@binnacle/api-objects';
import type { PatchSchema } from './patch-schema.ts';

/**
 * The strategic merge patch that makes the one object of the other: items of lists that are merged are changed, added and
 * removed one by one, so that changes of other items by others stay.
 */
export function createStrategicMergePatch(
  original: JsonObject,
  edited: JsonObject,
  schema: PatchSchema,
): JsonObject {
  const patch: JsonObject = {};
  for (const name of Object.keys(original))
    if (!Object.hasOwn(edited, name)) setOwnProperty(patch, name, null);
  for (const [name, value] of Object.entries(edited)) {
    const before = Object.hasOwn(original, name) ? original[name] : undefined;
    if (before !== undefined && equalJson(before, value)) continue;
    const members = memberPatch(name, { before, value, schema: schema.member(name) });
    for (const [member, change] of Object.entries(members)) setOwnProperty(patch, member, change);
  }
  if (schema.strategies.includes('retainKeys') && Object.keys(patch).length > 0)
    patch['$retainKeys'] = Object.keys(edited).toSorted();
  return patch;
}

interface Change {
  readonly before: JsonValue | undefined;
  readonly value: JsonValue;
  readonly schema: PatchSchema;
}

/** The members of a patch that change one member of an object: the member itself, and directives for it. */
function memberPatch(name: string, { before, value, schema }: Change): JsonObject {
  if (isJsonObject(before) && isJsonObject(value) && !schema.strategies.includes('replace'))
    return { [name]: createStrategicMergePatch(before, value, schema) };
  if (!Array.isArray(before) || !Array.isArray(value) || !schema.strategies.includes('merge'))
    return { [name]: value };
  const { mergeKey } = schema;
  if (mergeKey === undefined) return scalarsPatch(name, before, value);
  const [oldItems, newItems] = [itemsByKey(before, mergeKey), itemsByKey(value, mergeKey)];
  // Items that cannot be told apart are replaced together.
  if (oldItems === undefined || newItems === undefined) return { [name]: [{ $patch: 'replace' }, ...value] };
  return itemsPatch(name, { oldItems, newItems, mergeKey, schema });
}

function scalarsPatch(name: string, before: readonly JsonValue[], value: readonly JsonValue[]): JsonObject {
  const added = value.filter(item => !before.includes(item));
  const removed = before.filter(item => !value.includes(item));
  return {
    ...(added.length > 0 && { [name]: added }),
    ...(removed.length > 0 && { [`$deleteFromPrimitiveList/${name}`]: removed }),
    ...(value.length > 0 && { [`$setElementOrder/${name}`]: [...value] }),
  };
}

type Items = ReadonlyMap<JsonValue, JsonObject>;

/** Undefined where an item has no key, or another one the same. */
function itemsByKey(items: readonly JsonValue[], mergeKey: string): Items | undefined {
  const byKey = new Map<JsonValue, JsonObject>();
  for (const item of items) {
    const key = isJsonObject(item) ? item[mergeKey] : undefined;
    if (!isJsonObject(item) || key === undefined || typeof key === 'object' || byKey.has(key))
      return undefined;
    byKey.set(key, item);
  }
  return byKey;
}

function itemsPatch(
  name: string,
  {
    oldItems,
    newItems,
    mergeKey,
    schema,
  }: {
    readonly oldItems: Items;
    readonly newItems: Items;
    readonly mergeKey: string;
    readonly schema: PatchSchema;
  },
): JsonObject {
  // Each item keeps only the keys that it is to have, where the list says so.
  const strategies = schema.strategies.filter(strategy => strategy === 'retainKeys');
  const itemSchema = { ...schema.items(), strategies };
  const changes: JsonObject[] = [];
  for (const [key, item] of newItems) {
    const before = oldItems.get(key);
    if (before === undefined) changes.push(item);
    else if (!equalJson(before, item))
      changes.push({ ...createStrategicMergePatch(before, item, itemSchema), [mergeKey]: key });
  }
  for (const key of oldItems.keys())
    if (!newItems.has(key)) changes.push({ $patch: 'delete', [mergeKey]: key });
  return {
    ...(changes.length > 0 && { [name]: changes }),
    ...(newItems.size > 0 && {
      [`$setElementOrder/${name}`]: [...newItems.keys()].map(key => ({ [mergeKey]: key })),
    }),
  };
}
