import { pathText } from '@binnacle/api-objects';
import { badRequest, tooManyValues } from '@binnacle/status-errors';
import { bodyValueLimit } from './value-limits.ts';

/** Containers may lie within each other this deep in a body. */
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
/** So much of a path is shown. */
const longestPath = 128;

/** The counts of a JSON text, made before anything is parsed. */
interface JsonCounts {
  /** The members of all objects. A parsed value that has fewer keys than that had some of them twice. */
  readonly members: number;
  /** Members and elements of lists; a list without elements counts as if it had one. */
  readonly values: number;
  /** Whether a number has an exponent. */
  readonly hasExponents: boolean;
  /** Whether a number has a fraction or an exponent. */
  readonly hasFloats: boolean;
}

/** The counts of JSON text so far. */
interface Counting extends JsonCounts {
  /** Where the counting goes on. */
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

/** 1 where a list is open, by depth; text that is counted in one go needs no other. */
const sharedLists = new Uint8Array(depthLimit + 1);
/** Bytes that are counted between two yields: well below a millisecond. */
const bytesPerStep = 131_072;

/**
 * Counts the members of all objects in JSON text (the colons outside strings) and the elements of all lists, in one pass
 * over the bytes. Throws BadRequest beyond the depth limit, and RequestEntityTooLarge at the first value too many.
 */
export function countJson(json: Uint8Array): JsonCounts {
  return pickCounts(countOn(json, nothingCounted, { until: json.length, isListAt: sharedLists }));
}

/** Whether JSON text is so long that it is counted in steps. */
export function isLongJson(json: Uint8Array): boolean {
  return json.length > bytesPerStep;
}

/** Counts as `countJson` does. Yields between steps of bounded size, unless one text is longer. */
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
      // Text that closes more than it opened is refused by the parser.
      if (depth > 0) depth--;
    } else if (byte === point) {
      hasFloats = true;
    } else if ((byte === lowerE || byte === upperE) && i > 0 && isDigit(json[i - 1]!)) {
      // Other letters outside strings stand behind letters.
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
  /** The keys seen so far; undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The current key as written in a path, or the current position of an array. */
  key: string;
  index: number;
}

/** Finds the paths (`spec.ports[0].name`) of members that occur twice in valid JSON text, at most 1000 of them. */
export function findDuplicateFields(text: string): string[] {
  const duplicates: string[] = [];
  scanJson(text, {
    onKey(keys, stack) {
      const { key } = stack.at(-1)!; // the frame that the key was found in
      if (keys.has(key) && duplicates.length < mostReported) duplicates.push(formatPath(stack));
      keys.add(key);
    },
  });
  return [...new Set(duplicates)];
}

/** The path of the value that JSON text breaks off in. */
export function pathAtEnd(beginning: Uint8Array): string {
  return formatPath(scanJson(Buffer.from(beginning).toString(), {}));
}

/** Functions that are called in the order of the text. */
interface JsonVisitor {
  /** At each key of an object, with those before it. */
  onKey?(keys: Set<string>, stack: readonly Frame[]): void;
  /** At each number; answers the position behind it. */
  onNumber?(start: number, stack: readonly Frame[]): number;
}

/** Goes through JSON text, and answers what is open at its end. */
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
    return JSON.parse(quoted) as string; // the text is quoted
  } catch {
    // Only text that is not valid JSON anyway has such keys.
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

/** The way to what is open: keys and positions. */
export function stepsFromStack(stack: readonly Frame[]): (string | number)[] {
  return stack.map(frame => (frame.keys === undefined ? frame.index : frame.key));
}
