import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwnProperty,
} from '@binnacle/api-objects';
import {
  type ListSchema,
  type MapSchema,
  memberSchema,
  shapeOf,
  type TypedSchema,
} from '../schemas/typed-schema.ts';
import { mergeItems } from './merge-items.ts';

/**
 * Merges an applied object into the live object: objects member by member, sets and keyed lists element by element, all other
 * values as a whole; members that only the live object has are kept. The applied object must be valid, see `validate`. Neither
 * argument is modified; the result shares parts with both, and is the live object itself if nothing differs.
 */
export function merge(live: JsonValue, applied: JsonValue, schema: TypedSchema): JsonValue {
  const shape = shapeOf(schema, applied);
  if (shape === 'map') return mergeMaps(live, applied, schema.map!); // The schema has the shape.
  return shape === 'list' ? mergeLists(live, applied, schema.list!) : keepApplied(live, applied);
}

/** Keeps an unchanged value as the same JavaScript value, so that later comparisons are cheap. */
function keepApplied(live: JsonValue, applied: JsonValue): JsonValue {
  return equalJson(live, applied) ? live : applied;
}

function mergeMaps(live: JsonValue, applied: JsonValue, map: MapSchema): JsonValue {
  const base = isJsonObject(live) ? live : undefined;
  if (map.mapType === 'atomic' || base === undefined) return keepApplied(live, applied);
  if (!isJsonObject(applied) || isEmpty(applied)) return isEmpty(base) ? keepApplied(live, applied) : base;
  let merged: JsonObject | undefined;
  for (const name in applied) {
    const value = applied[name]!; // One of its keys.
    const old = Object.hasOwn(base, name) ? base[name] : undefined;
    const member = old === undefined ? value : merge(old, value, memberSchema(map, name).schema);
    if (member === old) continue;
    merged ??= { ...base };
    setOwnProperty(merged, name, member);
  }
  return merged ?? base;
}

function mergeLists(live: JsonValue, applied: JsonValue, list: ListSchema): JsonValue {
  const base = Array.isArray(live) ? live : [];
  const items = Array.isArray(applied) ? applied : [];
  if (list.listType === 'atomic' || base.length === 0) return keepApplied(live, applied);
  if (items.length === 0) return base;
  const merged = mergeItems(base, items, {
    list,
    mergeItem: (old, item) => merge(old, item, list.element),
  });
  return merged.length === base.length && merged.every((item, i) => item === base[i]) ? base : merged;
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
