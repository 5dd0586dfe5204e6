import { isUtf8 } from 'node:buffer';
import { type JsonValue, NumberOutOfRange, pathText } from '@binnacle/api-objects';
import { isLong, runAtOnce, runInSlices } from '@binnacle/event-loop';
import { badRequest, StatusError } from '@binnacle/status-errors';
import { LineCounter } from 'yaml';
import { type ParsedText, parseJson, parseJsonSteps } from './json/parse-json.ts';
import { composeDocument } from './yaml/compose-document.ts';
import { plainValue } from './yaml/plain-value.ts';
import { readDocument } from './yaml/read-document.ts';

const openBrace = 0x7b;
const tooLarge = 413;

/**
 * Parses the first document of YAML text like existing Kubernetes clients (YAML 1.1; few aliases, scalar keys), in slices. JSON
 * text is parsed as JSON. Throws BadRequest for invalid text, and RequestEntityTooLarge if the text has more than 100,000 values,
 * including those that aliases repeat.
 */
export function parseYaml(bytes: Uint8Array): ParsedText | Promise<ParsedText> {
  if (isLong(bytes.length)) return runInSlices(parseYamlSteps(bytes));
  return tryJson(bytes) ?? runInSlices(yamlSteps(bytes));
}

/** Parses YAML as `parseYaml` does, without yielding to other work; for command line programs. */
export function parseYamlAtOnce(bytes: Uint8Array): ParsedText {
  return runAtOnce(parseYamlSteps(bytes));
}

/** Parses YAML as `parseYaml` does. Yields between steps of bounded size. */
export function* parseYamlSteps(bytes: Uint8Array): Generator<void, ParsedText> {
  if (bytes[0] === openBrace) {
    try {
      return withoutFloats(yield* parseJsonSteps(bytes));
    } catch (error) {
      assertNotJson(error);
    }
  }
  return yield* yamlSteps(bytes);
}

/** Parses short text as JSON; undefined for other text. */
function tryJson(bytes: Uint8Array): ParsedText | undefined {
  if (bytes[0] !== openBrace) return undefined;
  try {
    return withoutFloats(parseJson(bytes));
  } catch (error) {
    assertNotJson(error);
    return undefined;
  }
}

function withoutFloats(parsed: ParsedText): ParsedText {
  return { ...parsed, floats: () => [] };
}

/** Throws the error of a parser of JSON again unless the text may be YAML. */
function assertNotJson(error: unknown): void {
  const isJson = error instanceof StatusError && error.cause instanceof NumberOutOfRange;
  if (isJson || (error instanceof StatusError && error.code === tooLarge)) throw error;
}

function* yamlSteps(bytes: Uint8Array): Generator<void, ParsedText> {
  try {
    const parsed = yield* readText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
    if (!isUtf8(bytes)) throw new Error(`${pathOfReplaced(parsed.value) ?? 'a comment'} is not valid UTF-8`);
    return parsed;
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const reason = error instanceof Error ? error.message.split('\n', 1)[0]!.slice(0, 200) : 'unreadable';
    throw badRequest(`error decoding YAML: ${reason}`);
  }
}

function* readText(text: string): Generator<void, ParsedText> {
  const lines = new LineCounter();
  const tokens = yield* readDocument(text, lines);
  const node = yield* composeDocument(tokens, lines);
  const { value, duplicates, values } = yield* plainValue(node, lines);
  return { value, members: undefined, values, duplicates: () => [...duplicates], floats: () => [] };
}

/** Returns the path of the first text that contains a replacement character. */
function pathOfReplaced(value: JsonValue, path: readonly (string | number)[] = []): string | undefined {
  if (typeof value === 'string') return value.includes('\ufffd') ? pathText(path) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const below = [...path, Array.isArray(value) ? Number(key) : key];
    const found = key.includes('\ufffd') ? pathText(below) : pathOfReplaced(item, below);
    if (found !== undefined) return found;
  }
  return undefined;
}
