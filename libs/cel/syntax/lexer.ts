import { syntaxIssue } from './syntax-issue.ts';

/** The kinds of tokens; literals are parsed later. */
export type TokenKind = 'name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end';

/** A token of the language. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Index in the text. */
  readonly start: number;
}

const blank = /(?:[\t\n\f\r ]+|\/\/[^\n]*)*/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const double = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y;
const integer = /(?:0x[0-9a-fA-F]+|\d+)[uU]?/y;
const symbol = /&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}]/y;
const quoted =
  /(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[^\n\r]|[^"\\\n\r])*"|'(?:\\[^\n\r]|[^'\\\n\r])*')/y;
const rawQuoted = /(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/y;
const quotePrefix = /([bB]?)([rR]?)(?=["'])/y;

/** Returns the token at an index, after skipping white space and comments; throws a SyntaxIssue. */
export function tokenAt(text: string, index: number): Token {
  const start = index + (matchAt(blank, text, index)?.length ?? 0);
  if (start >= text.length) return { kind: 'end', text: '', start: text.length };
  return (
    stringAt(text, start) ??
    matchToken('double', double, text, start) ??
    integerAt(text, start) ??
    matchToken('name', name, text, start) ??
    matchToken('symbol', symbol, text, start) ??
    refuse(text, start)
  );
}

function stringAt(text: string, start: number): Token | undefined {
  quotePrefix.lastIndex = start;
  const prefix = quotePrefix.exec(text);
  if (prefix === null) return undefined;
  const body = matchAt(prefix[2] === '' ? quoted : rawQuoted, text, start + prefix[0].length);
  if (body === undefined) throw syntaxIssue(start, 'a string does not end');
  return { kind: prefix[1] === '' ? 'string' : 'bytes', text: prefix[0] + body, start };
}

function integerAt(text: string, start: number): Token | undefined {
  const found = matchAt(integer, text, start);
  if (found === undefined) return undefined;
  return { kind: /[uU]$/.test(found) ? 'uint' : 'int', text: found, start };
}

function matchToken(kind: TokenKind, pattern: RegExp, text: string, start: number): Token | undefined {
  const found = matchAt(pattern, text, start);
  return found === undefined ? undefined : { kind, text: found, start };
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}

function refuse(text: string, start: number): never {
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  throw syntaxIssue(start, `'${character}' is not part of the language`);
}
