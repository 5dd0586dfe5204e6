import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type FieldSet, fieldElement, fieldSetOfPaths } from '@binnacle/server-side-apply';
import {
  indexElement,
  keyElement,
  listPaths,
  type PathElement,
  pathText,
  valueElement,
} from '@binnacle/server-side-apply/testing';

/** Reads a path as people write it: `.spec.ports[port=80,protocol="TCP"].name`, `.set[="a"]`, `.list[0]`. */
export function parsePath(text: string): PathElement[] {
  const elements: PathElement[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '.') {
      const end = endOfName(text, at + 1);
      elements.push(fieldElement(text.slice(at + 1, end)));
      at = end;
    } else {
      const end = endOfBracket(text, at);
      elements.push(bracketElement(text.slice(at + 1, end)));
      at = end + 1;
    }
  }
  return elements;
}

/** The set of paths that are written so. */
export function setOfTexts(texts: readonly string[]): FieldSet {
  return fieldSetOfPaths(texts.map(parsePath));
}

/** The paths of a set as texts. */
export function textsFromSet(set: FieldSet): string[] {
  return [...listPaths(set)].map(pathText);
}

function endOfName(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '.' && text[end] !== '[') end++;
  return end;
}

/** The bracket that closes the one at `start`; brackets within quoted texts do not count. */
function endOfBracket(text: string, start: number): number {
  let quoted = false;
  for (let at = start + 1, depth = 1; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') quoted = !quoted;
    else if (quoted && mark === '\\') at++;
    else if (!quoted && mark === '[') depth++;
    else if (!quoted && mark === ']' && --depth === 0) return at;
  }
  throw new Error(`${JSON.stringify(text)} is no path`);
}

function bracketElement(content: string): PathElement {
  if (/^\d+$/.test(content)) return indexElement(Number(content));
  if (content.startsWith('=')) return valueElement(JSON.parse(content.slice(1)) as JsonValue); // JSON by definition
  const keys: JsonObject = {};
  for (const pair of splitPairs(content)) {
    const equals = pair.indexOf('=');
    keys[pair.slice(0, equals)] = JSON.parse(pair.slice(equals + 1)) as JsonValue; // JSON by definition
  }
  return keyElement(keys);
}

function splitPairs(content: string): string[] {
  const pairs: string[] = [];
  let quoted = false;
  let start = 0;
  for (let at = 0; at < content.length; at++) {
    const mark = content[at];
    if (mark === '"') quoted = !quoted;
    else if (quoted && mark === '\\') at++;
    else if (!quoted && mark === ',') {
      pairs.push(content.slice(start, at));
      start = at + 1;
    }
  }
  return [...pairs, content.slice(start)];
}
