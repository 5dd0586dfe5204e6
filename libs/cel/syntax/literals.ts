import { Uint } from '../values/uint.ts';
import type { Constant } from './expression.ts';
import type { Token } from './lexer.ts';
import { syntaxIssue } from './syntax-issue.ts';

const largestUint = 2n ** 64n - 1n;
const smallestInt = -(2n ** 63n);
const largestInt = 2n ** 63n - 1n;

/** Parses a literal token, a number with its sign; throws a SyntaxIssue for an invalid literal. */
export function parseLiteral(token: Token, negative = false): Constant {
  switch (token.kind) {
    case 'int':
      return parseInt64(token, negative);
    case 'uint':
      return parseUint(token);
    case 'double':
      return parseDouble(token, negative);
    case 'bytes':
      return parseBytes(token);
    default:
      return parseString(token);
  }
}

function parseInt64(token: Token, negative: boolean): bigint {
  const size = BigInt(token.text);
  const value = negative ? -size : size;
  if (value < smallestInt || value > largestInt) throw syntaxIssue(token.start, 'invalid int literal');
  return value;
}

function parseUint(token: Token): Uint {
  const value = BigInt(token.text.slice(0, -1));
  if (value > largestUint) throw syntaxIssue(token.start, 'invalid uint literal');
  return new Uint(value);
}

function parseDouble(token: Token, negative: boolean): number {
  const value = Number(token.text);
  if (!Number.isFinite(value)) throw syntaxIssue(token.start, 'invalid double literal');
  return negative ? -value : value;
}

interface Quoted {
  readonly body: string;
  readonly raw: boolean;
}

/** Returns the text between the quotes, with line ends normalized to line feeds. */
function parseQuoted({ text }: Token): Quoted {
  const quote = text.search(/["']/);
  const mark = text.slice(quote, quote + 3);
  const size = text.length - quote >= 6 && (mark === '"""' || mark === "'''") ? 3 : 1;
  return {
    body: text.slice(quote + size, text.length - size).replaceAll(/\r\n?/g, '\n'),
    raw: /[rR]/.test(text.slice(0, quote)),
  };
}

const escaped =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/gu;

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ...['\\', '?', '"', "'", '`'].map(character => [character, character] as const),
]);

function parseString(token: Token): string {
  const { body, raw } = parseQuoted(token);
  if (raw) return body;
  return body.replaceAll(escaped, (whole, x, bigX, u, bigU, octal, simple) => {
    const hex: string | undefined = x ?? bigX ?? u ?? bigU;
    if (hex !== undefined) return characterFromCode(Number.parseInt(hex, 16), whole, token);
    if (octal !== undefined) return characterFromCode(Number.parseInt(octal, 8), whole, token);
    return simpleEscapes.get(simple) ?? badEscape(whole, token);
  });
}

function characterFromCode(code: number, whole: string, token: Token): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return badEscape(whole, token);
  return String.fromCodePoint(code);
}

function parseBytes(token: Token): Uint8Array {
  const { body, raw } = parseQuoted(token);
  if (raw) return Buffer.from(body);
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const match of body.matchAll(escaped)) {
    const [whole, x, bigX, u, bigU, octal, simple] = match;
    parts.push(Buffer.from(body.slice(end, match.index)));
    end = match.index + whole.length;
    const hex = x ?? bigX;
    if (u !== undefined || bigU !== undefined) badEscape(whole, token);
    if (hex !== undefined) parts.push(Uint8Array.of(Number.parseInt(hex, 16)));
    else if (octal !== undefined) parts.push(Uint8Array.of(Number.parseInt(octal, 8)));
    else parts.push(Buffer.from(simpleEscapes.get(simple ?? '') ?? badEscape(whole, token)));
  }
  parts.push(Buffer.from(body.slice(end)));
  return new Uint8Array(Buffer.concat(parts));
}

function badEscape(whole: string, token: Token): never {
  throw syntaxIssue(token.start, `'${whole}' is not an escape`);
}
