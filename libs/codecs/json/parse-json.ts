import { isUtf8 } from 'node:buffer';
import { type JsonValue, readJsonSteps } from '@binnacle/api-objects';
import { runAtOnce } from '@binnacle/event-loop';
import { badRequest, StatusError } from '@binnacle/status-errors';
import { type FloatLiteral, findFloatLiterals } from './float-literals.ts';
import { countJson, countJsonSteps, findDuplicateFields, isLongJson, pathAtEnd } from './json-scan.ts';

/** A parsed text and what the parse would hide. */
export interface ParsedText {
  readonly value: JsonValue;
  /** How many members the objects of the text have together, duplicates counted; undefined when they were sought already. */
  readonly members: number | undefined;
  /** Members of objects and elements of lists. */
  readonly values: number;
  /**
   * One message a member that occurs twice; the last one counts. Sought at the call. In JSON, those at or within one of
   * the unknown fields, which are dropped as a whole, are none.
   */
  duplicates(unknownFields?: readonly string[]): string[];
  /** The whole numbers that are not written as integers; none in YAML, where they are the same. Sought at the call. */
  floats(): readonly FloatLiteral[];
}

/**
 * Parses JSON text; throws BadRequest with `what` in front when it is malformed, nests too deep or has a number beyond all
 * doubles, and
 * RequestEntityTooLarge, before anything is made of it, when it has more than 100,000 values.
 */
export function parseJson(bytes: Uint8Array, what = 'the body is not valid JSON'): ParsedText {
  return runAtOnce(parseJsonSteps(bytes, what));
}

/** Parses JSON text as `parseJson` does. Yields between steps of bounded size. */
export function* parseJsonSteps(
  bytes: Uint8Array,
  what = 'the body is not valid JSON',
): Generator<void, ParsedText> {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { members, values, hasExponents, hasFloats } = isLongJson(buffer)
    ? yield* countJsonSteps(buffer)
    : countJson(buffer);
  const text = buffer.toString();
  // The replacement character shows where bytes may have been no UTF-8, unless it was sent.
  if (text.includes('\ufffd')) assertUtf8(buffer, what);
  return {
    value: yield* parsedText(text, what, hasExponents),
    members,
    values,
    duplicates: unknownFields => duplicateMessages(text, unknownFields),
    floats: () => (hasFloats ? findFloatLiterals(text) : []),
  };
}

function assertUtf8(bytes: Buffer, what: string): void {
  if (isUtf8(bytes)) return;
  let start = 0;
  let end = bytes.length;
  // The longest beginning that is UTF-8; a cut character at its end is no matter.
  while (end - start > 1) {
    const middle = (start + end) >>> 1;
    if (isUtf8(wholeCharacters(bytes, middle))) start = middle;
    else end = middle;
  }
  throw badRequest(`${what}: ${pathAtEnd(bytes.subarray(0, start))}: the text is not valid UTF-8`);
}

/** The first bytes, less those of a character that the cut may have divided. */
function wholeCharacters(bytes: Buffer, length: number): Buffer {
  let end = length;
  while (end > 0 && length - end < 4 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

function* parsedText(text: string, what: string, hasExponents: boolean): Generator<void, JsonValue> {
  try {
    return yield* readJsonSteps(text, hasExponents);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : 'unreadable';
    throw new StatusError({ reason: 'BadRequest', code: 400, message: `${what}: ${reason}`, cause: error });
  }
}

function duplicateMessages(text: string, unknownFields: readonly string[] = []): string[] {
  const unknown = new Set(unknownFields);
  return findDuplicateFields(text)
    .filter(path => unknown.size === 0 || !isWithin(path, unknown))
    .map(path => `duplicate field ${JSON.stringify(path)}`);
}

/** Asks whether a path or one that leads to it is in the set. */
function isWithin(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  for (let end = path.length - 1; end > 0; end--) {
    if ((path[end] === '.' || path[end] === '[') && paths.has(path.slice(0, end))) return true;
  }
  return false;
}
