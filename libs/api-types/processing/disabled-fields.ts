import { type ApiObject, copyJson, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { DisabledFields, GatedFields } from '../definitions/gated-rules.ts';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { asList, asObject } from '../values/json-access.ts';

/**
 * Removes the fields of disabled features from an object, unless the stored object uses the feature. Runs before defaults are set
 * and managed fields are recorded. Modifies `object`.
 */
export function dropDisabledFields(
  { disabledFields }: ResourceDefinition,
  object: ApiObject,
  old?: ApiObject,
): void {
  disabledFields?.drop(object, old);
}

/** A node in the tree of field paths; paths with a common prefix share nodes. */
interface Place {
  readonly name: string;
  readonly isList: boolean;
  readonly below: Place[];
  readonly fields: Field[];
}

/** A field at the end of a path. */
interface Field {
  readonly name: string;
  /** For a map, the prefix of the affected keys; '': the field itself. */
  readonly keyPrefix: string;
  /** The index of its entry. */
  readonly entry: number;
}

/** An existing field of an object. */
interface Hit {
  readonly field: Field;
  readonly holder: JsonObject;
  readonly parent: JsonObject;
  readonly nameInParent: string;
}

/** Creates the disabled fields of gate entries; undefined if there are none. */
export function disabledFieldsFrom(entries: readonly GatedFields[]): DisabledFields | undefined {
  if (entries.length === 0) return undefined;
  const places = placesFrom(entries.map(({ paths }) => paths));
  const uses = entries.map(({ inUse, paths }) => placesFrom([inUse ?? paths]));
  return {
    areIn: object => hitsIn(object, places).length > 0,
    drop(object, old) {
      const hits = hitsIn(object, places);
      if (hits.length === 0) return;
      const kept = new Map<number, boolean>();
      for (const hit of hits) {
        const { entry } = hit.field;
        let isKept = kept.get(entry);
        if (isKept === undefined) {
          isKept = old !== undefined && isUsed(uses[entry], old, entries[entry]?.resetTo);
          kept.set(entry, isKept);
        }
        if (!isKept) drop(hit, entries[entry]);
      }
    },
  };
}

const none: readonly Hit[] = [];

function hitsIn(object: JsonObject, root: Place): readonly Hit[] {
  let hits: Hit[] | undefined;
  collect(root, object, { holder: object, name: '' }, hit => {
    hits ??= [];
    hits.push(hit);
  });
  return hits ?? none;
}

function drop({ field, holder, parent, nameInParent }: Hit, entry: GatedFields | undefined): void {
  if (entry?.removesParent === true) {
    if (holder[field.name] !== '') delete parent[nameInParent];
  } else if (entry?.resetTo !== undefined && holder[field.name] !== null)
    holder[field.name] = copyJson(entry.resetTo);
  else if (field.keyPrefix === '') delete holder[field.name];
  else {
    const map = asObject(holder[field.name]) ?? {};
    for (const key of Object.keys(map)) if (key.startsWith(field.keyPrefix)) delete map[key];
  }
}

function isUsed(root: Place | undefined, old: ApiObject, noUse: JsonValue | undefined): boolean {
  if (root === undefined) return false;
  return hitsIn(old, root).some(({ field, holder }) => {
    const value = holder[field.name];
    if (noUse !== undefined && value === noUse) return false;
    return field.keyPrefix !== '' || !isEmpty(value);
  });
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.length === 0;
}

function collect(
  place: Place,
  holder: JsonObject,
  parent: { readonly holder: JsonObject; readonly name: string },
  note: (hit: Hit) => void,
): void {
  for (const field of place.fields) {
    const value = holder[field.name];
    if (value === undefined || (field.keyPrefix !== '' && !hasKeyWith(field.keyPrefix, value))) continue;
    note({ field, holder, parent: parent.holder, nameInParent: parent.name });
  }
  for (const next of place.below) {
    const value = holder[next.name];
    if (value === undefined) continue;
    if (next.isList) {
      for (const element of asList(value)) {
        const object = asObject(element);
        if (object !== undefined) collect(next, object, { holder, name: next.name }, note);
      }
    } else {
      const object = asObject(value);
      if (object !== undefined) collect(next, object, { holder, name: next.name }, note);
    }
  }
}

function hasKeyWith(prefix: string, value: JsonValue): boolean {
  const map = asObject(value);
  if (map === undefined) return false;
  for (const key in map) if (key.startsWith(prefix)) return true;
  return false;
}

/** Creates the tree of the paths of entries. */
function placesFrom(entries: readonly (readonly string[])[]): Place {
  const root: Place = { name: '', isList: false, below: [], fields: [] };
  for (const [entry, paths] of entries.entries()) {
    for (const path of paths) {
      const [, steps = '', keyPrefix = ''] = /^([^{]*)(?:\{(.*)\})?$/.exec(path) ?? [];
      const names = steps.split('.');
      const name = names.pop() ?? '';
      let place = root;
      for (const step of names) place = placeBelow(place, step);
      place.fields.push({ name, keyPrefix, entry });
    }
  }
  return root;
}

function placeBelow({ below }: Place, step: string): Place {
  const isList = step.endsWith('[]');
  const name = isList ? step.slice(0, -2) : step;
  const known = below.find(place => place.name === name && place.isList === isList);
  if (known !== undefined) return known;
  const place: Place = { name, isList, below: [], fields: [] };
  below.push(place);
  return place;
}
