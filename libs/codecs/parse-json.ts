import type { JsonValue } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import { countMembers, findDuplicateFields } from './json-scan.ts';

/** A parsed text and what the parse would hide. */
export interface ParsedText {
  readonly value: JsonValue;
  /** How many members the objects of the text have together, duplicates counted; undefined when they were sought already. */
  readonly members: number | undefined;
  /** One message a member that occurs twice; the last one counts. Sought on the first call. */
  duplicates(): string[];
}

/** Parses JSON text; throws BadRequest with `what` in front when it is malformed or nests too deep. */
export function parseJson(bytes: Uint8Array, what = 'the body is not valid JSON'): ParsedText {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const members = countMembers(buffer);
  const text = buffer.toString();
  return { value: parseText(text, what), members, duplicates: () => duplicateMessages(text) };
}

function parseText(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue; // what JSON.parse returns without a reviver
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : 'unreadable';
    throw badRequest(`${what}: ${reason}`);
  }
}

function duplicateMessages(text: string): string[] {
  return findDuplicateFields(text).map(path => `duplicate field ${JSON.stringify(path)}`);
}
