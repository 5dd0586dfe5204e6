import { isJsonObject, type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { keyElement, type PathElement, valueElement } from '../field-sets/path-element.ts';
import type { ListKey, ListSchema } from '../schemas/typed-schema.ts';
import { type KnownSteps, keepStep, knownSteps } from './known-steps.ts';

/** The reason why a list element has no identity. */
interface ItemProblem {
  readonly problem: string;
}

/** Returns the path element of an element of a set or keyed list, or the reason why it has none. */
export function itemElement(item: JsonValue, list: ListSchema): PathElement | ItemProblem {
  return list.listType === 'map' ? keyedItem(item, list) : setItem(item);
}

/** Distinguishes a reason from a path element. */
export function isItemProblem(element: PathElement | ItemProblem): element is ItemProblem {
  return typeof element === 'object';
}

function keyedItem(item: JsonValue, list: ListSchema): PathElement | ItemProblem {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  let known: KnownSteps | PathElement | undefined = knownSteps(list);
  for (const key of list.keys) {
    const value = keyValue(item, key);
    if (typeof value === 'object' && value !== null) return keyElement(pickKeys(item, list));
    if (typeof known === 'object') known = known.get(value);
  }
  return typeof known === 'string' ? known : newStep(item, list);
}

function newStep(item: JsonObject, list: ListSchema): PathElement | ItemProblem {
  const values = list.keys.map(key => keyValue(item, key));
  let text = '';
  list.keys.forEach((key, i) => {
    if (values[i] !== undefined)
      text += `${text === '' ? '' : ','}${getLabel(key)}${JSON.stringify(values[i])}`;
  });
  if (text === '') return { problem: missingKeys(list) };
  const step = `k:{${text}}` as const;
  keepStep(list, values, step);
  return step;
}

function keyValue(item: JsonObject, key: ListKey): JsonValue | undefined {
  return Object.hasOwn(item, key.name) ? item[key.name] : key.default;
}

/** Cached texts before the values of a key; lists have many elements and few keys. */
const labels = new WeakMap<ListKey, string>();

function getLabel(key: ListKey): string {
  let label = labels.get(key);
  if (label === undefined) {
    label = `${JSON.stringify(key.name)}:`;
    labels.set(key, label);
  }
  return label;
}

function pickKeys(item: JsonObject, list: ListSchema): JsonObject {
  const keys: JsonObject = {};
  for (const key of list.keys) {
    const value = keyValue(item, key);
    if (value !== undefined) setOwnProperty(keys, key.name, value);
  }
  return keys;
}

function setItem(item: JsonValue): PathElement | ItemProblem {
  if (item === null)
    return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (typeof item === 'object')
    return { problem: "associative list without keys has an element that's a map type" };
  return valueElement(item);
}

function missingKeys(list: ListSchema): string {
  const names = list.keys.map(key => JSON.stringify(key.name));
  return names.length === 1
    ? `associative list with keys has an element that omits key field ${names[0]} (and doesn't have default value)`
    : `associative list with keys has an element that omits all key fields [${names.join(' ')}] (and doesn't have default values for any key fields)`;
}
