/** One piece of TypeScript source: comments and white space are left out. */
export interface Token {
  /** `string` is a literal in quotes, `template` a template literal with all that it holds. */
  readonly kind: 'word' | 'string' | 'template' | 'number' | 'pattern' | 'sign';
  /** The text; of a string what is between its quotes. */
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** A comment of TypeScript source. */
export interface SourceComment {
  /** The text with its signs. */
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Whether it goes on from a comment on the line before, as the lines of one paragraph do. */
  readonly continues: boolean;
}

const wordPattern = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const numberPattern = /\d[\w.]*/y;
const patternPattern = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const signPattern = /=>|\.\.\.|\?\.|[^\s\w]/uy;

/** Words after which a slash begins a pattern and not a division. */
const wordsBeforeValue = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'do',
  'else',
  'await',
  'yield',
  'instanceof',
]);

/** The tokens of TypeScript source. */
export function readTokens(source: string): Token[] {
  return scanSource(source).tokens;
}

/**
 * Splits TypeScript source into tokens and comments. It parses just enough of the language to keep comments, strings,
 * templates and patterns apart from code.
 */
export function scanSource(source: string): { tokens: Token[]; comments: SourceComment[] } {
  const tokens: Token[] = [];
  const comments: SourceComment[] = [];
  let offset = 0;
  let line = 1;
  const take = (kind: Token['kind'] | undefined, length: number, text?: string): void => {
    const piece = source.slice(offset, offset + length);
    if (kind !== undefined) tokens.push({ kind, text: text ?? piece, line });
    for (const character of piece) if (character === '\n') line++;
    offset += length;
  };
  const takeComment = (length: number): void => {
    const last = comments.at(-1);
    const continues = last?.line === line - 1 && last.text.startsWith('//') && tokens.at(-1)?.line !== line;
    comments.push({ text: source.slice(offset, offset + length), line, continues });
    take(undefined, length);
  };
  while (offset < source.length) {
    const character = source[offset]!; // Inside the text.
    if (/\s/.test(character)) take(undefined, 1);
    else if (source.startsWith('//', offset)) takeComment(lengthUntil(source, offset, '\n'));
    else if (source.startsWith('/*', offset)) takeComment(lengthUntil(source, offset, '*/') + 2);
    else if (offset === 0 && source.startsWith('#!')) take(undefined, lengthUntil(source, 0, '\n'));
    else if (character === "'" || character === '"') {
      const length = quotedLength(source, offset);
      take('string', length, source.slice(offset + 1, offset + length - 1));
    } else if (character === '`') take('template', templateLength(source, offset));
    else {
      const { kind, length } = unquotedPiece(source, offset, tokens.at(-1));
      take(kind, length);
    }
  }
  return { tokens, comments };
}

function unquotedPiece(
  source: string,
  offset: number,
  previous: Token | undefined,
): { kind: Token['kind']; length: number } {
  const word = matchLength(wordPattern, source, offset);
  if (word > 0) return { kind: 'word', length: word };
  const number = matchLength(numberPattern, source, offset);
  if (number > 0) return { kind: 'number', length: number };
  if (source[offset] === '/' && !endsValue(previous)) {
    const pattern = matchLength(patternPattern, source, offset);
    if (pattern > 0) return { kind: 'pattern', length: pattern };
  }
  return { kind: 'sign', length: Math.max(1, matchLength(signPattern, source, offset)) };
}

function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'sign') return token.text === ')' || token.text === ']' || token.text === '}';
  return token.kind !== 'word' || !wordsBeforeValue.has(token.text);
}

function matchLength(pattern: RegExp, source: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0].length ?? 0;
}

function lengthUntil(source: string, offset: number, end: string): number {
  const found = source.indexOf(end, offset);
  return (found < 0 ? source.length : found) - offset;
}

function quotedLength(source: string, start: number): number {
  const quote = source[start];
  let offset = start + 1;
  while (offset < source.length && source[offset] !== quote) offset += source[offset] === '\\' ? 2 : 1;
  return offset + 1 - start;
}

function templateLength(source: string, start: number): number {
  let offset = start + 1;
  while (offset < source.length && source[offset] !== '`') {
    if (source[offset] === '\\') offset += 2;
    else if (source.startsWith('${', offset)) offset += 2 + substitutionLength(source, offset + 2);
    else offset++;
  }
  return offset + 1 - start;
}

function substitutionLength(source: string, start: number): number {
  let offset = start;
  for (let depth = 1; offset < source.length; ) {
    const character = source[offset]!; // Inside the text.
    if (character === '`') offset += templateLength(source, offset);
    else if (character === "'" || character === '"') offset += quotedLength(source, offset);
    else {
      offset++;
      if (character === '{') depth++;
      if (character === '}' && --depth === 0) break;
    }
  }
  return offset - start;
}
