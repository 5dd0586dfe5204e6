import { StatusError, tooManyValues } from '@binnacle/status-errors';
import { CST, Lexer, type LineCounter, Parser } from 'yaml';
import { depthLimit } from '../json/json-scan.ts';
import { bodyValueLimit } from '../json/value-limits.ts';

/** Tokens of the first document of a YAML text, and the tokens before it. */
export interface DocumentTokens {
  /** Directives and comments, in order. */
  readonly before: readonly CST.Token[];
  /** Undefined if the text has no content. */
  readonly document: CST.Document | undefined;
}

/** The lexeme that precedes the text of a scalar. */
const { SCALAR } = CST;
/** Lexemes that begin or separate members of an object or elements of a list. */
const valueMarks: ReadonlySet<string> = new Set([':', '?', '-', ',']);
/** Maximum number of lexemes in a text; a member of a map has about eight. */
const lexemeLimit = 500_000;
/** Number of lexemes between two yields, about 0.3 ms. */
const lexemesPerStep = 128;
/** The parser stack also contains the document itself and a scalar that has just begun. */
const stackLimit = depthLimit + 2;
/** Maximum number of directives, which are repeated for each part that is composed on its own. */
const directiveLimit = 8;

/**
 * Parses the first document of a YAML text into tokens. Yields between steps of bounded size. Throws RequestEntityTooLarge at the
 * first value beyond `bodyValueLimit` or the first lexeme beyond the limit, and an Error for invalid YAML or nesting deeper than
 * `depthLimit`.
 */
export function* readDocument(text: string, lines: LineCounter): Generator<void, DocumentTokens> {
  const parser = new Parser(lines.addNewLine);
  const reading: Reading = { before: [], document: undefined, directives: 0 };
  const counter = new LexemeCounter();
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    counter.add(lexeme);
    if (take(parser.next(lexeme), reading)) return reading;
    if (parser.stack.length > stackLimit)
      throw new Error(`${counter.place}: the text nests deeper than ${depthLimit} levels`);
    if (counter.lexemes % lexemesPerStep === 0) yield;
  }
  take(parser.end(), reading);
  return reading;
}

interface Reading {
  readonly before: CST.Token[];
  document: CST.Document | undefined;
  directives: number;
}

/** Processes completed tokens; returns whether the first document is complete. */
function take(tokens: Iterable<CST.Token>, reading: Reading): boolean {
  for (const token of tokens) {
    switch (token.type) {
      case 'document':
        if (reading.document !== undefined) return true;
        reading.document = token;
        break;
      case 'doc-end':
        if (reading.document !== undefined) return true;
        throw new Error('Unexpected doc-end without preceding document');
      case 'error':
        throw new Error(
          token.source ? `${token.message}: ${JSON.stringify(token.source.slice(0, 64))}` : token.message,
        );
      case 'directive':
        if (reading.document !== undefined) return true;
        if (++reading.directives > directiveLimit)
          throw new Error(`the text has more than ${directiveLimit} directives`);
        reading.before.push(token);
        break;
      default:
        if (reading.document === undefined) reading.before.push(token);
    }
  }
  return false;
}

function tooManyParts(): StatusError {
  const message = `Request entity too large: the YAML text has more than ${lexemeLimit} words and marks`;
  return new StatusError({ reason: 'RequestEntityTooLarge', code: 413, message });
}

/** Counts lexemes and the values that they represent. */
class LexemeCounter {
  lexemes = 0;
  #values = 0;
  #lines = 1;
  #isText = false;

  /** Line of the last lexeme. */
  get place(): string {
    return `line ${this.#lines}`;
  }

  add(lexeme: string): void {
    if (++this.lexemes > lexemeLimit) throw tooManyParts();
    if (this.#isText) {
      this.#isText = false;
    } else if (lexeme === SCALAR) {
      this.#isText = true;
    } else if (lexeme === '\n' || lexeme === '\r\n') {
      this.#lines++;
    } else if (valueMarks.has(lexeme) && ++this.#values > bodyValueLimit) {
      throw tooManyValues('the body', bodyValueLimit);
    }
  }
}
