import { isUtf8 } from 'node:buffer';
import { type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';
import { Composer, CST, type Document, isScalar, Lexer, LineCounter, Parser, visit } from 'yaml';
import { depthLimit } from './json-scan.ts';
import { type ParsedText, parseJson } from './parse-json.ts';
import { pathText } from './path-text.ts';

const OPEN_BRACE = 0x7b;
/** The lexeme that announces the text of a scalar. */
const { SCALAR } = CST;
const MOST_REPORTED = 1000;
/** How many words and marks a text may have; a member of a map takes about eight. */
const LEXEME_LIMIT = 500_000;
/** How many times the nodes of a document may be repeated through aliases. */
const ALIAS_LIMIT = 100;
/** How many values a document may have once its aliases are written out. */
const NODE_LIMIT = 1_000_000;

/**
 * Parses the first document of YAML text by the core schema (JSON's types; no custom tags, few aliases).
 * Text that is JSON is parsed as such. Throws BadRequest when it cannot.
 */
export function parseYaml(bytes: Uint8Array): ParsedText {
  if (bytes[0] === OPEN_BRACE) {
    const parsed = tryJson(bytes);
    if (parsed !== undefined) return parsed;
  }
  try {
    const parsed = readDocument(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
    if (!isUtf8(bytes)) throw new Error(`${pathOfReplaced(parsed.value) ?? 'a comment'} is not valid UTF-8`);
    return parsed;
  } catch (error) {
    // Indentation may still nest deeply enough to overflow the stack; that is caught here like any other refusal.
    const reason = error instanceof Error ? error.message.split('\n', 1)[0]!.slice(0, 200) : 'unreadable';
    throw badRequest(`error decoding YAML: ${reason}`);
  }
}

function tryJson(bytes: Uint8Array): ParsedText | undefined {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

function readDocument(text: string): ParsedText {
  const lines = new LineCounter();
  const document = firstDocument(text, lines);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  const value = plainCopy(document.toJS({ maxAliasCount: ALIAS_LIMIT }), { nodes: 0, path: [] });
  return { value, members: undefined, duplicates: () => duplicateKeys(document, lines) };
}

function firstDocument(text: string, lines: LineCounter): Document.Parsed {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
  });
  for (const document of composer.compose(parseTokens(text, lines), true, text.length)) return document;
  throw new Error('the text has no document');
}

/** Parses text lexeme by lexeme, so that deep nesting and endless parts are refused before the parser spends its time on them. */
function* parseTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  const guard = new SizeGuard();
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    guard.check(lexeme);
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

/** Counts lexemes, open flow collections, and block collections that begin on one line. */
class SizeGuard {
  #lexemes = 0;
  #flow = 0;
  #line = 0;
  #lines = 1;
  #isText = false;

  check(lexeme: string): void {
    if (++this.#lexemes > LEXEME_LIMIT) throw new Error(`the text has more than ${LEXEME_LIMIT} parts`);
    if (this.#isText) {
      this.#isText = false;
      return;
    }
    switch (lexeme) {
      case SCALAR:
        this.#isText = true;
        return;
      case '[':
      case '{':
        this.#flow++;
        break;
      case ']':
      case '}':
        this.#flow--;
        break;
      case '-':
      case '?':
        this.#line++;
        break;
      case '\n':
      case '\r\n':
        this.#line = 0;
        this.#lines++;
    }
    if (this.#flow > depthLimit || this.#line > depthLimit)
      throw new Error(`line ${this.#lines}: the text nests deeper than ${depthLimit} levels`);
  }
}

function duplicateKeys(document: Document.Parsed, lines: LineCounter): string[] {
  const found: string[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key) || found.length >= MOST_REPORTED) continue;
        const name = String(key.value);
        if (seen.has(name))
          found.push(
            `line ${lines.linePos(key.range?.[0] ?? 0).line}: key ${JSON.stringify(name)} already set in map`,
          );
        seen.add(name);
      }
    },
  });
  return found;
}

/** Where a copy is, and how many values it has. */
interface Copying {
  nodes: number;
  readonly path: (string | number)[];
}

/**
 * Copies a value so that aliased nodes are no longer shared, and refuses what JSON cannot say: numbers that are
 * none, and nesting or repetition beyond the limits.
 */
function plainCopy(value: unknown, copying: Copying): JsonValue {
  const { path } = copying;
  if (++copying.nodes > NODE_LIMIT) throw new Error(`the text has more than ${NODE_LIMIT} values`);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw new Error(`${pathText(path)} has no form in JSON`);
  if (path.length >= depthLimit)
    throw new Error(`the text nests deeper than ${depthLimit} levels at ${pathText(path.slice(0, 16))}...`);
  const copyAt = (step: string | number, item: unknown): JsonValue => {
    path.push(step);
    const copy = plainCopy(item, copying);
    path.pop();
    return copy;
  };
  if (Array.isArray(value)) return value.map((item, i) => copyAt(i, item));
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwnProperty(copy, key, copyAt(key, item));
  return copy;
}

/** The path of the first text with the character that stands for bytes that are no UTF-8. */
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
