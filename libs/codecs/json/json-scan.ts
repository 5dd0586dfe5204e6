import { pathText } from '@binnacle/api-objects';
import { badRequest, tooManyValues } from '@binnacle/status-errors';
import { bodyValueLimit } from './value-limits.ts';

/** Maximum nesting depth of containers in a body. */
export const depthLimit = 512;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const lowerE = 0x65;
const upperE = 0x45;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const mostReported = 1000;
/** Maximum number of characters of a path in a message. */
const longestPath = 128;

/** Counts of a JSON text, made before it is parsed. */
export interface JsonCounts {
  /** Number of members of all objects. If a parsed value has fewer keys, the text has duplicate members. */
  readonly members: number;
  /** Number of members and list elements; an empty list counts as one element. */
  readonly values: number;
  /** Whether a number has an exponent. */
  readonly hasExponents: boolean;
  /** Whether a number has a fraction or an exponent. */
  readonly hasFloats: boolean;
}

/** Counts of a partially counted JSON text. */
interface Counting extends JsonCounts {
  /** Position at which counting continues. */
  readonly at: number;
  readonly depth: number;
}

const nothingCounted: Counting = {
  at: 0,
  depth: 0,
  members: 0,
  values: 0,
  hasExponents: false,
  hasFloats: false,
};

/** 1 if the container at a depth is a list; shared by all texts that are counted in one step. */
const sharedLists = new Uint8Array(depthLimit + 1);
/** Bytes counted between two yields: well under 1 ms. */
const bytesPerStep = 131_072;

/**
 * Counts the members of all objects in JSON text (the colons outside strings) and the elements of all lists, in one pass over the
 * bytes. Throws BadRequest beyond the depth limit, and RequestEntityTooLarge at the first value beyond `bodyValueLimit`.
 */
export function countJson(json: Uint8Array): JsonCounts {
  return pickCounts(countOn(json, nothingCounted, { until: json.length, isListAt: sharedLists }));
}

/** Whether JSON text is long enough to be counted in steps. */
export function isLongJson(json: Uint8Array): boolean {
  return json.length > bytesPerStep;
}

/** Counts as `countJson` does. Yields between steps of bounded size, except within a single long string. */
export function* countJsonSteps(json: Uint8Array): Generator<void, JsonCounts> {
  const isListAt = new Uint8Array(depthLimit + 1);
  let counted = nothingCounted;
  while (counted.at < json.length) {
    counted = countOn(json, counted, { until: counted.at + bytesPerStep, isListAt });
    yield;
  }
  return pickCounts(counted);
}

function pickCounts({ members, values, hasExponents, hasFloats }: Counting): JsonCounts {
  return { members, values, hasExponents, hasFloats };
}

function countOn(
  json: Uint8Array,
  before: Counting,
  { until, isListAt }: { readonly until: number; readonly isListAt: Uint8Array },
): Counting {
  let { members, depth, hasExponents, hasFloats, at: i } = before;
  let elements = before.values - members;
  isListAt[0] = 0;
  const end = json.length;
  const last = Math.min(until, end);
  for (; i < last; i++) {
    const byte = json[i]!;
    if (byte === quote) {
      i++;
      while (i < end && json[i] !== quote) i += json[i] === backslash ? 2 : 1;
    } else if (byte === colon) {
      if (++members + elements > bodyValueLimit) throw tooManyValues('the body', bodyValueLimit);
    } else if (byte === comma) {
      if (isListAt[depth] === 1 && members + ++elements > bodyValueLimit)
        throw tooManyValues('the body', bodyValueLimit);
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > depthLimit) throw tooDeep(json.subarray(0, i));
      isListAt[depth] = byte === openBracket ? 1 : 0;
      elements += isListAt[depth]!;
    } else if (byte === closeBrace || byte === closeBracket) {
      // The parser refuses text with more closing than opening brackets.
      if (depth > 0) depth--;
    } else if (byte === point) {
      hasFloats = true;
    } else if ((byte === lowerE || byte === upperE) && i > 0 && isDigit(json[i - 1]!)) {
      // Other letters e outside strings follow letters.
      hasFloats = true;
      hasExponents = true;
    }
  }
  return { at: i, depth, members, values: members + elements, hasExponents, hasFloats };
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

interface Frame {
  /** Keys seen so far; undefined in a list. */
  readonly keys: Set<string> | undefined;
  /** The current key; empty in a list. */
  key: string;
  index: number;
}

/** Finds the paths (`spec.ports[0].name`) of duplicate members in valid JSON text, at most 1,000. */
export function findDuplicateFields(text: string): string[] {
  const duplicates: string[] = [];
  scanJson(text, {
    onKey(keys, stack) {
      const { key } = stack.at(-1)!; // The frame of the key.
      if (keys.has(key) && duplicates.length < mostReported) duplicates.push(formatPath(stack));
      keys.add(key);
    },
  });
  return [...new Set(duplicates)];
}

/** Returns the path of the value at the end of incomplete JSON text. */
export function pathAtEnd(beginning: Uint8Array): string {
  return formatPath(scanJson(Buffer.from(beginning).toString(), {}));
}

/** Callbacks in the order of the text. */
interface JsonVisitor {
  /** Called at each key of an object, with the earlier keys. */
  onKey?(keys: Set<string>, stack: readonly Frame[]): void;
  /** Called at each number; returns the position after it. */
  onNumber?(start: number, stack: readonly Frame[]): number;
}

/** Scans JSON text and returns the frames that are open at its end. */
export function scanJson(text: string, visitor: JsonVisitor): Frame[] {
  const stack: Frame[] = [];
  let expectsKey = false;
  for (let i = 0; i < text.length; i++) {
    const mark = text[i];
    const frame = stack.at(-1);
    if (mark === '"') {
      const end = stringEnd(text, i);
      if (end > text.length) return stack;
      if (expectsKey && frame?.keys !== undefined) {
        frame.key = keyFrom(text.slice(i, end));
        visitor.onKey?.(frame.keys, stack);
        expectsKey = false;
      }
      i = end - 1;
    } else if (mark === '{' || mark === '[') {
      stack.push({ keys: mark === '{' ? new Set() : undefined, key: '', index: 0 });
      expectsKey = mark === '{';
    } else if (mark === '}' || mark === ']') {
      stack.pop();
    } else if (mark === ',' && frame !== undefined) {
      frame.index++;
      expectsKey = frame.keys !== undefined;
    } else if (visitor.onNumber !== undefined && (mark === '-' || isDigit(text.charCodeAt(i)))) {
      i = visitor.onNumber(i, stack) - 1;
    }
  }
  return stack;
}

function keyFrom(quoted: string): string {
  try {
    return JSON.parse(quoted) as string; // The text is quoted.
  } catch {
    // Only invalid JSON has such keys.
    return quoted.slice(1, -1);
  }
}

function tooDeep(beginning: Uint8Array): Error {
  const path = pathAtEnd(beginning);
  const shown = path.length > longestPath ? `${path.slice(0, longestPath)}...` : path;
  return badRequest(`the body nests deeper than ${depthLimit} levels at ${shown}`);
}

function stringEnd(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

function formatPath(stack: readonly Frame[]): string {
  return pathText(stepsFromStack(stack));
}

/** Returns the path to the innermost open value: keys and indexes. */
export function stepsFromStack(stack: readonly Frame[]): (string | number)[] {
  return stack.map(frame => (frame.keys === undefined ? frame.index : frame.key));
}
