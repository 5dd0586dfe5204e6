import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
  setOwnProperty,
} from '@binnacle/api-objects';
import { isTooDeep } from './depth-limit.ts';
import { UnreadableFieldSet } from './unreadable-field-set.ts';
import { compareJsonValues, compareTexts } from './value-order.ts';

/**
 * One step of a path into an object, as FieldsV1 writes it; equal steps have equal texts.
 *
 * `f:name` a field or the key of a map, `k:{"name":"web"}` an element of a keyed list (keys sorted, defaults filled
 * in), `v:"a"` an element of a set, `i:0` an element by position.
 */
export type PathElement = `f:${string}` | `k:${string}` | `v:${string}` | `i:${string}`;

/** The step to a field or to the entry of a map. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The step to an element of a keyed list. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${canonicalJson(keys)}`;
}

/** The step to an element of a set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** The step to an element by its position. */
export function indexElement(position: number): PathElement {
  return `i:${position}`;
}

/**
 * Reads a step in any form that stands for it and answers the canonical one; undefined for a kind of step that this
 * server does not know. Throws UnreadableFieldSet for a text that is no step.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2 || text[1] !== ':') throw new UnreadableFieldSet(`"${text}" is not a path element`);
  if (isFieldStep(text)) return text;
  const content = text.slice(2);
  switch (text[0]) {
    case 'v':
      return valueElement(parseContent(content));
    case 'k':
      return singleTextKey.test(content) ? `k:${content}` : keyElement(parseKeys(content));
    case 'i':
      if (!/^[+-]?\d{1,15}$/.test(content))
        throw new UnreadableFieldSet(`"${content}" is not a position in a list`);
      return indexElement(Number(content));
    default:
      return undefined;
  }
}

/** Longer steps are cut. */
const longestStep = 512;
/** A path ends behind the step with which its text gets so long. */
const longestPath = 2048;

/**
 * Writes a path as conflicts show it: `.spec.ports[port=80,protocol="TCP"].name`. The length of the text is bounded: a
 * thousand conflicts may lie below one key of a megabyte.
 */
export function pathText(path: readonly PathElement[]): string {
  let text = '';
  for (const element of path) {
    if (text.length > longestPath) break;
    text += element.length > longestStep ? startOfElement(element) : elementText(element);
  }
  return text;
}

function startOfElement(element: PathElement): string {
  const start = `${element.slice(2, longestStep)}…`;
  return isFieldStep(element) ? `.${start}` : `[${start}]`;
}

/** Puts steps in the order in which field sets are written: fields, keys, values, positions. */
export function sortPathElements(elements: Iterable<PathElement>): PathElement[] {
  const sorted = [...elements];
  if (sorted.length < 2) return sorted;
  // Most containers are structs and maps, and small ones.
  if (sorted.every(isFieldStep)) {
    if (sorted.some(hasSurrogates)) return sorted.sort(compareTexts);
    return sorted.length > fewElements ? sorted.sort() : sortInPlace(sorted);
  }
  return sorted
    .map(withOrder)
    .sort(compareDecorated)
    .map(item => item.element);
}

const fewElements = 16;

/** Sorts a few texts by their code units, as `sort` does, and makes nothing for it. */
function sortInPlace<T extends string>(texts: T[]): T[] {
  for (let i = 1; i < texts.length; i++) {
    const text = texts[i]!; // within
    let at = i;
    for (; at > 0 && texts[at - 1]! > text; at--) texts[at] = texts[at - 1]!; // within
    texts[at] = text;
  }
  return texts;
}

/** Only these are in another order by their code units, which the engine sorts by itself, than by their bytes. */
function hasSurrogates(text: string): boolean {
  return surrogates.test(text);
}

const surrogates = /[\ud800-\udfff]/;

function isFieldStep(text: string): text is `f:${string}` {
  return text.charCodeAt(0) === 0x66 && text.charCodeAt(1) === 0x3a;
}

/** Orders two steps as `sortPathElements` does; 0 for equal ones. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  return compareDecorated(withOrder(a), withOrder(b));
}

/** One key whose name and value are texts without escapes, the usual form: it is canonical as it stands. */
const singleTextKey = /^\{"([^"\\\p{Cc}\p{Cs}]*)":"([^"\\\p{Cc}\p{Cs}]*)"\}$/u;

interface DecoratedElement {
  readonly element: PathElement;
  readonly rank: number;
  /** The name of a field; the value of a single text key. */
  readonly name: string;
  /** The name of a single text key. */
  readonly key?: string;
  /** The content of steps other than fields; keys as a flat list of names and values. */
  readonly content: JsonValue;
}

function withOrder(element: PathElement): DecoratedElement {
  const name = element.slice(2);
  switch (element[0]) {
    case 'f':
      return { element, rank: 0, name, content: null };
    case 'k': {
      const [, key, value] = singleTextKey.exec(name) ?? [];
      if (key === undefined || value === undefined)
        return { element, rank: 1, name: '', content: Object.entries(parseKeys(name)).flat() };
      return { element, rank: 1, name: value, key, content: [key, value] };
    }
    case 'v':
      return { element, rank: 2, name: '', content: readJson(name) };
    default:
      return { element, rank: 3, name: '', content: Number(name) };
  }
}

function compareDecorated(a: DecoratedElement, b: DecoratedElement): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  const byName = a.rank === 0 || (a.key !== undefined && a.key === b.key);
  return byName ? compareTexts(a.name, b.name) : compareJsonValues(a.content, b.content);
}

function elementText(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${content}`;
    case 'k': {
      const keys = Object.entries(parseKeys(content));
      return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${content}]`;
    default:
      return `[${content}]`;
  }
}

function parseKeys(text: string): JsonObject {
  const keys = parseContent(text);
  if (!isJsonObject(keys)) throw new UnreadableFieldSet(`"${text}" are not keys of a list element`);
  return keys;
}

function parseContent(text: string): JsonValue {
  const value = parseJsonText(text);
  // Work on it recurses.
  if (isTooDeep(value)) throw new UnreadableFieldSet('a path element nests too deep');
  return value;
}

function parseJsonText(text: string): JsonValue {
  try {
    return readJson(text);
  } catch {
    throw new UnreadableFieldSet(`"${text}" is not JSON`);
  }
}

function canonicalJson(value: JsonValue): string {
  return JSON.stringify(typeof value === 'object' ? withSortedKeys(value) : value);
}

function withSortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && typeof value[keys[0]!] !== 'object') return value;
  const sorted: JsonObject = {};
  for (const key of keys.sort(compareTexts)) {
    setOwnProperty(sorted, key, withSortedKeys(value[key]!));
  }
  return sorted;
}
