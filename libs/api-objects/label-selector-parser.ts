import { badRequest, type StatusError } from '@binnacle/status-errors';
import type { LabelOperator } from './label-requirement.ts';

/** A parsed requirement of selector text, values in the order of the text. */
interface LabelTerm {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

interface Token {
  /** A word, a symbol of the grammar, or `end` after the last token. */
  readonly kind: 'word' | 'mark' | 'end';
  readonly text: string;
}

const space = new Set([' ', '\t', '\r', '\n']);
const markCharacters = new Set(['=', '!', '(', ')', ',', '>', '<']);
const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);
const endToken: Token = { kind: 'end', text: '' };

/** Parses selector text into requirements; throws BadRequest for invalid syntax. */
export function parseLabelTerms(text: string): LabelTerm[] {
  const tokens = tokenize(text);
  const terms: LabelTerm[] = [];
  let position = 0;
  if (peek(tokens, 0).kind === 'end') return terms;
  for (;;) {
    const { term, next } = parseTerm(tokens, position);
    terms.push(term);
    const after = peek(tokens, next);
    if (after.kind === 'end') return terms;
    if (!isMark(after, ',')) throw unexpected(after, "',' or the end");
    position = next + 1;
  }
}

function parseTerm(tokens: readonly Token[], start: number): { term: LabelTerm; next: number } {
  const negated = isMark(peek(tokens, start), '!');
  let position = negated ? start + 1 : start;
  const key = peek(tokens, position++);
  if (key.kind !== 'word') throw unexpected(key, "a key or '!'");
  if (negated) return { term: { key: key.text, operator: '!', values: [] }, next: position };
  const sign = peek(tokens, position);
  if (sign.kind === 'end' || isMark(sign, ',')) {
    return { term: { key: key.text, operator: 'exists', values: [] }, next: position };
  }
  const operator = operators.get(sign.text);
  if (operator === undefined) throw unexpected(sign, 'one of in, notin, =, ==, !=, >, <');
  position++;
  const { values, next } =
    operator === 'in' || operator === 'notin' ? parseSet(tokens, position) : parseValue(tokens, position);
  return { term: { key: key.text, operator, values }, next };
}

function parseValue(tokens: readonly Token[], start: number): { values: string[]; next: number } {
  const token = peek(tokens, start);
  if (token.kind === 'end' || isMark(token, ',')) return { values: [''], next: start };
  if (token.kind !== 'word') throw unexpected(token, 'a value');
  return { values: [token.text], next: start + 1 };
}

/** Parses `(a,b,)`; nothing between commas or parentheses is the empty value. */
function parseSet(tokens: readonly Token[], start: number): { values: string[]; next: number } {
  let position = start;
  if (!isMark(peek(tokens, position), '(')) throw unexpected(peek(tokens, position), "'('");
  position++;
  const values: string[] = [];
  if (isMark(peek(tokens, position), ')')) return { values: [''], next: position + 1 };
  for (;;) {
    const token = peek(tokens, position);
    const isWord = token.kind === 'word';
    if (!isWord && !isMark(token, ',') && !isMark(token, ')')) throw unexpected(token, "a value, ',' or ')'");
    values.push(isWord ? token.text : '');
    if (isWord) position++;
    const after = peek(tokens, position);
    if (isMark(after, ')')) return { values, next: position + 1 };
    if (!isMark(after, ',')) throw unexpected(after, "',' or ')'");
    position++;
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const mark = text[position]!;
    if (space.has(mark)) {
      position++;
    } else if (markCharacters.has(mark)) {
      const pair = text.slice(position, position + 2);
      const symbol = pair === '==' || pair === '!=' ? pair : mark;
      tokens.push({ kind: 'mark', text: symbol });
      position += symbol.length;
    } else {
      const start = position;
      while (position < text.length && !space.has(text[position]!) && !markCharacters.has(text[position]!))
        position++;
      tokens.push({ kind: 'word', text: text.slice(start, position) });
    }
  }
  return tokens;
}

function peek(tokens: readonly Token[], position: number): Token {
  return tokens[position] ?? endToken;
}

function isMark(token: Token, text: string): boolean {
  return token.kind === 'mark' && token.text === text;
}

function unexpected(token: Token, expected: string): StatusError {
  const found = token.kind === 'end' ? 'the end' : `'${token.text.slice(0, 64)}'`;
  return badRequest(`unable to parse requirement: found ${found}, expected ${expected}`);
}
