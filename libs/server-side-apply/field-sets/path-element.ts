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
 * One step of a path into an object in FieldsV1 notation; equal steps have equal texts.
 *
 * `f:name` is a field or map key, `k:{"name":"web"}` an element of a keyed list (keys sorted, defaults included), `v:"a"` an
 * element of a set, `i:0` an element by index.
 */
export type PathElement = `f:${string}` | `k:${string}` | `v:${string}` | `i:${string}`;

/** Returns the path element of a field or map entry. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the path element of a keyed list's element. */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${canonicalJson(keys)}`;
}

/** Returns the path element of a set's element. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${canonicalJson(value)}`;
}

/** Returns the path element of a list index. */
export function indexElement(position: number): PathElement {
  return `i:${position}`;
}

/**
 * Parses a path element in any notation and returns its canonical form; undefined for an unknown kind. Throws UnreadableFieldSet
 * for an invalid text.
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

/** Longer path elements, in characters, are cut. */
const longestStep = 512;
/** A longer path, in characters, is not extended further. */
const longestPath = 2048;

/**
 * Formats a path for conflict messages: `.spec.ports[port=80,protocol="TCP"].name`. The length of the text is bounded, because a
 * thousand conflicts may refer to fields below a key of 1 MB.
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

/** Sorts path elements in the canonical order of field sets: fields, keys, values, indexes. */
export function sortPathElements(elements: Iterable<PathElement>): PathElement[] {
  const sorted = [...elements];
  if (sorted.length < 2) return sorted;
  // Most containers are small structs and maps.
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

/** Sorts a short list by code units like `sort`, without allocating. */
function sortInPlace<T extends string>(texts: T[]): T[] {
  for (let i = 1; i < texts.length; i++) {
    const text = texts[i]!; // Within bounds.
    let at = i;
    for (; at > 0 && texts[at - 1]! > text; at--) texts[at] = texts[at - 1]!; // Within bounds.
    texts[at] = text;
  }
  return texts;
}

/** Only surrogates sort differently by code units, the engine's order, than by UTF-8 bytes. */
function hasSurrogates(text: string): boolean {
  return surrogates.test(text);
}

const surrogates = /[\ud800-\udfff]/;

function isFieldStep(text: string): text is `f:${string}` {
  return text.charCodeAt(0) === 0x66 && text.charCodeAt(1) === 0x3a;
}

/** Compares two path elements in the order of `sortPathElements`; 0 if they are equal. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  return compareDecorated(withOrder(a), withOrder(b));
}

/** A single key whose name and value are strings without escapes, the usual case, which is already canonical. */
const singleTextKey = /^\{"([^"\\\p{Cc}\p{Cs}]*)":"([^"\\\p{Cc}\p{Cs}]*)"\}$/u;

interface DecoratedElement {
  readonly element: PathElement;
  readonly rank: number;
  /** The name of a field; the value of a single string key. */
  readonly name: string;
  /** The name of a single string key. */
  readonly key?: string;
  /** The content of elements other than fields; keys as a flat list of names and values. */
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
  // Later processing is recursive.
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
