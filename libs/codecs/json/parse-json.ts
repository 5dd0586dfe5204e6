import { isUtf8 } from 'node:buffer';
import { type JsonValue, readJson, readJsonSteps } from '@binnacle/api-objects';
import { badRequest, StatusError } from '@binnacle/status-errors';
import { type FloatLiteral, findFloatLiterals } from './float-literals.ts';
import {
  countJson,
  countJsonSteps,
  findDuplicateFields,
  isLongJson,
  type JsonCounts,
  pathAtEnd,
} from './json-scan.ts';

/** A parsed text, with findings that the parsed value does not show. */
export interface ParsedText {
  readonly value: JsonValue;
  /** Number of members of all objects, duplicates included; undefined if duplicates were already found while parsing. */
  readonly members: number | undefined;
  /** Number of members of objects and elements of lists. */
  readonly values: number;
  /**
   * Returns one message for each duplicate member, of which the last one counts. In JSON, duplicates at or within an unknown
   * field are left out, since the field is dropped as a whole. Computed at each call.
   */
  duplicates(unknownFields?: readonly string[]): string[];
  /** Returns the whole numbers written as floats; none in YAML, which does not distinguish them. Computed at each call. */
  floats(): readonly FloatLiteral[];
}

/**
 * Parses JSON text. Throws BadRequest, its message starting with `what`, if the text is malformed, nests too deep or has a number
 * beyond the range of doubles, and RequestEntityTooLarge, before parsing, if it has more than 100,000 values.
 */
export function parseJson(bytes: Uint8Array, what = 'the body is not valid JSON'): ParsedText {
  const buffer = bufferFrom(bytes);
  const counts = countJson(buffer);
  const text = textFrom(buffer, what);
  try {
    return parsedText(text, readJson(text, counts.hasExponents), counts);
  } catch (error) {
    throw malformed(error, what);
  }
}

/** Parses JSON text as `parseJson` does. Yields between steps of bounded size. */
export function* parseJsonSteps(
  bytes: Uint8Array,
  what = 'the body is not valid JSON',
): Generator<void, ParsedText> {
  const buffer = bufferFrom(bytes);
  if (!isLongJson(buffer)) return parseJson(buffer, what);
  const counts = yield* countJsonSteps(buffer);
  const text = textFrom(buffer, what);
  try {
    return parsedText(text, yield* readJsonSteps(text, counts.hasExponents), counts);
  } catch (error) {
    throw malformed(error, what);
  }
}

function bufferFrom(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textFrom(buffer: Buffer, what: string): string {
  const text = buffer.toString();
  // A replacement character indicates invalid UTF-8, unless the client sent one.
  if (text.includes('\ufffd')) assertUtf8(buffer, what);
  return text;
}

function parsedText(text: string, value: JsonValue, { members, values, hasFloats }: JsonCounts): ParsedText {
  return {
    value,
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
  // Finds the longest prefix that is valid UTF-8, ignoring a cut character at its end.
  while (end - start > 1) {
    const middle = (start + end) >>> 1;
    if (isUtf8(wholeCharacters(bytes, middle))) start = middle;
    else end = middle;
  }
  throw badRequest(`${what}: ${pathAtEnd(bytes.subarray(0, start))}: the text is not valid UTF-8`);
}

/** Returns the first bytes without an incomplete character at the end. */
function wholeCharacters(bytes: Buffer, length: number): Buffer {
  let end = length;
  while (end > 0 && length - end < 4 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

function malformed(error: unknown, what: string): StatusError {
  const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : 'unreadable';
  return new StatusError({ reason: 'BadRequest', code: 400, message: `${what}: ${reason}`, cause: error });
}

function duplicateMessages(text: string, unknownFields: readonly string[] = []): string[] {
  const unknown = new Set(unknownFields);
  return findDuplicateFields(text)
    .filter(path => unknown.size === 0 || !isWithin(path, unknown))
    .map(path => `duplicate field ${JSON.stringify(path)}`);
}

/** Whether the set contains a path or one of its ancestors. */
function isWithin(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  for (let end = path.length - 1; end > 0; end--) {
    if ((path[end] === '.' || path[end] === '[') && paths.has(path.slice(0, end))) return true;
  }
  return false;
}
