import { type JsonObject, type JsonValue, setOwnProperty } from './json.ts';
import { readJson } from './json-text.ts';

/** Maximum length, in characters, of texts that are parsed in one step of 1 to 2 ms, and of the parts of longer ones. */
const partLength = 65_536;

/**
 * Parses JSON text as `readJson` does, in parts. Yields between steps of bounded size, except within a single long string or
 * number. Throws the errors of `readJson`.
 */
export function* readJsonSteps(text: string, hasExponents?: boolean): Generator<void, JsonValue> {
  if (text.length <= 2 * partLength) return readJson(text, hasExponents);
  const ends = yield* endsOfLongContainers(text);
  const start = endOfBlanks(text, 0);
  const end = ends.get(start);
  // For invalid text, parsing it as a whole reports the error.
  if (end === undefined || endOfBlanks(text, end + 1) < text.length) return readJson(text, hasExponents);
  try {
    return yield* new PartsReader(text, ends, hasExponents).container(start, end);
  } catch (error) {
    if (!(error instanceof MalformedText) && !(error instanceof SyntaxError)) throw error;
    return readJson(text, hasExponents);
  }
}

/** Error for text that cannot be parsed in parts. */
class MalformedText extends Error {}

const blanks = /[ \t\n\r]*/y;

/** Returns the position after the JSON white space that begins at `start`. */
function endOfBlanks(text: string, start: number): number {
  blanks.lastIndex = start;
  return blanks.test(text) ? blanks.lastIndex : start;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** Number of characters scanned between two yields, about 1 ms. */
const charactersPerStep = 262_144;

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

/** Finds the containers that are too long for one part; returns their end positions by start position. */
function* endsOfLongContainers(text: string): Generator<void, Map<number, number>> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let rest = charactersPerStep;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (isOpening(code)) open.push(at);
    else if (isClosing(code)) {
      const start = open.pop();
      if (start !== undefined && at - start > partLength) ends.set(start, at);
    }
    if (at < rest) continue;
    rest = at + charactersPerStep;
    yield;
  }
  return ends;
}

/** Returns the position of the quote that ends a string; the length of the text if there is none. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** Parses long containers member by member; consecutive short members are parsed together. */
class PartsReader {
  readonly #text: string;
  readonly #ends: ReadonlyMap<number, number>;
  readonly #hasExponents: boolean | undefined;

  constructor(text: string, ends: ReadonlyMap<number, number>, hasExponents: boolean | undefined) {
    this.#text = text;
    this.#ends = ends;
    this.#hasExponents = hasExponents;
  }

  *container(start: number, end: number): Generator<void, JsonValue> {
    const isList = this.#text[start] === '[';
    if (this.#text[end] !== (isList ? ']' : '}')) throw new MalformedText();
    const made: JsonValue[] | JsonObject = isList ? [] : {};
    let partStart = start + 1;
    let memberStart = partStart;
    let depth = 0;
    for (let at = partStart; at < end; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) at = endOfText(this.#text, at);
      else if (isClosing(code)) depth--;
      else if (isOpening(code)) {
        const memberEnd = depth === 0 ? this.#ends.get(at) : undefined;
        depth += memberEnd === undefined ? 1 : 0;
        if (memberEnd === undefined) continue;
        if (memberStart > partStart) this.#addPart(made, partStart, memberStart - 1);
        yield* this.#addMember(made, memberStart, { start: at, end: memberEnd });
        partStart = this.#afterMember(memberEnd, end);
        memberStart = partStart;
        at = partStart - 1;
      } else if (code === comma && depth === 0) {
        if (at - partStart > partLength) {
          this.#addPart(made, partStart, at);
          yield;
          partStart = at + 1;
        }
        memberStart = at + 1;
      }
    }
    if (partStart <= end) this.#addPart(made, partStart, end);
    return made;
  }

  /** Adds consecutive members; there must be at least one. */
  #addPart(made: JsonValue[] | JsonObject, start: number, end: number): void {
    const inside = this.#text.slice(start, end);
    if (Array.isArray(made)) {
      const items = readJson(`[${inside}]`, this.#hasExponents) as JsonValue[]; // The brackets make it a list.
      if (items.length === 0) throw new MalformedText();
      for (const item of items) made.push(item);
      return;
    }
    const members = readJson(`{${inside}}`, this.#hasExponents) as JsonObject; // The braces make it an object.
    const keys = Object.keys(members);
    if (keys.length === 0) throw new MalformedText();
    for (const key of keys) setOwnProperty(made, key, members[key]!); // One of its keys.
  }

  /** Adds a member whose value is a long container. */
  *#addMember(
    made: JsonValue[] | JsonObject,
    memberStart: number,
    { start, end }: { readonly start: number; readonly end: number },
  ): Generator<void, void> {
    const before = this.#text.slice(memberStart, start);
    if (Array.isArray(made)) {
      if (endOfBlanks(this.#text, memberStart) < start) throw new MalformedText();
      made.push(yield* this.container(start, end));
      return;
    }
    const [key] = Object.keys(readJson(`{${before}null}`, false) as JsonObject); // The braces make it an object.
    if (key === undefined) throw new MalformedText();
    setOwnProperty(made, key, yield* this.container(start, end));
  }

  /** Returns the start of the next member; the position after the end of the container if there is none. */
  #afterMember(memberEnd: number, end: number): number {
    const at = endOfBlanks(this.#text, memberEnd + 1);
    if (at < end && this.#text.charCodeAt(at) !== comma) throw new MalformedText();
    return at + 1;
  }
}
