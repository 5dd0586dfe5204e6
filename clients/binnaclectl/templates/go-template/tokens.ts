import { unicodeName } from '../values/unicode-name.ts';

/** The kinds of tokens of a Go template. */
type TokenKind =
  | 'text'
  | 'left'
  | 'right'
  | 'space'
  | 'error'
  | 'eof'
  | 'string'
  | 'variable'
  | 'character'
  | 'field'
  | 'number'
  | 'identifier'
  | 'bool'
  | 'keyword'
  /** `=`, `:=`, `|`, parentheses and any other sign. */
  | 'sign';

/** One token, and its place in the text. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
  readonly line: number;
}

const keywords = new Set('. block break continue define else end if range nil template with'.split(' '));
const alphanumeric = /[\p{L}\p{Nd}_]/u;
const name = /[\p{L}\p{Nd}_]+/uy;
const number =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;
const quotedText = /"(?:\\[^\n]|[^"\\\n])*"/y;
const characterText = /'(?:\\[^\n]|[^'\\\n])*'/y;
const rawText = /`[^`]*`/y;
const spaces = /[ \t\r\n]+/y;
const comment = /\/\*[\s\S]*?\*\//y;
const rightDelimiter = /[ \t\r\n]-\}\}[ \t\r\n]*|\}\}/y;

/** The tokens of a template; the last one is the end, or an error. */
export function readTokens(text: string): Token[] {
  return new Scanner(text).tokens();
}

/** Reads a template from left to right, as Go's scanner does. */
class Scanner {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): Token[] {
    while (this.#tokens.at(-1)?.kind !== 'eof' && this.#tokens.at(-1)?.kind !== 'error') this.#scanText();
    return this.#tokens;
  }

  /** The text up to an action, and the action. */
  #scanText(): void {
    const brace = this.#text.indexOf('{{', this.#at);
    const end = brace < 0 ? this.#text.length : brace;
    const trims = brace >= 0 && /^-[ \t\r\n]/.test(this.#text.slice(brace + 2, brace + 4));
    const written = this.#text.slice(this.#at, end);
    const shown = trims ? written.replace(/[ \t\r\n]+$/, '') : written;
    if (shown !== '') this.#add('text', shown);
    this.#skip(written);
    if (brace >= 0) this.#scanBraces(trims);
    else this.#add('eof', '');
  }

  /** A comment or an action, from its braces on. */
  #scanBraces(trims: boolean): void {
    const start = this.#at;
    this.#at += 2;
    if (trims) this.#skip(this.#text.slice(this.#at, this.#at + 2));
    if (this.#text.startsWith('/*', this.#at)) {
      this.#scanComment();
      return;
    }
    this.#tokens.push({ kind: 'left', text: '{{', at: start, line: this.#line });
    this.#depth = 0;
    while (this.#scanAction());
  }

  #scanComment(): void {
    const found = this.#match(comment);
    this.#skip(found);
    const right = this.#match(rightDelimiter);
    if (found === '') this.#fail('unclosed comment');
    else if (right === '') this.#fail('comment ends before closing delimiter');
    else this.#skip(right);
  }

  /** One token of an action; whether the action goes on after it. */
  #scanAction(): boolean {
    const right = this.#match(rightDelimiter);
    if (right !== '') {
      if (this.#depth > 0) this.#fail('unclosed left paren');
      else this.#take('right', right);
      return false;
    }
    const space = this.#match(spaces);
    if (space !== '') {
      // The last space before `-}}` belongs to that.
      const own = /^-\}\}/.test(this.#text.slice(this.#at + space.length)) ? space.slice(0, -1) : space;
      this.#take('space', own);
      return true;
    }
    return this.#scanOperand(this.#character());
  }

  #scanOperand(character: string): boolean {
    const next = this.#text[this.#at + 1] ?? '';
    if (character === '') return this.#fail('unclosed action');
    if (character === '"') return this.#delimited('string', quotedText, 'quoted string');
    if (character === '`') return this.#delimited('string', rawText, 'raw quoted string');
    if (character === "'") return this.#delimited('character', characterText, 'character constant');
    if (character === ':') return next === '=' ? this.#take('sign', ':=') : this.#fail('expected :=');
    if (character === '$' || (character === '.' && !/[0-9]/.test(next))) return this.#scanName(character);
    if (/[-+.0-9]/.test(character)) return this.#scanNumber();
    if (alphanumeric.test(character)) return this.#scanWord();
    if (character === '(') this.#depth++;
    if (character === ')' && --this.#depth < 0) return this.#fail('unexpected right paren');
    if (/[!-~]/.test(character)) return this.#take('sign', character);
    return this.#fail(`unrecognized character in action: ${unicodeName(character)}`);
  }

  /** A field or variable. */
  #scanName(prefix: string): boolean {
    const start = this.#at;
    this.#at++;
    const word = this.#match(name);
    const end = this.#at + word.length;
    this.#at = start;
    if (!this.#isTerminated(end)) return this.#fail(`bad character ${unicodeName(this.#character(end))}`);
    if (prefix === '$') return this.#take('variable', `$${word}`);
    return this.#take(word === '' ? 'keyword' : 'field', `.${word}`);
  }

  #scanNumber(): boolean {
    const found = this.#match(number);
    const end = this.#at + found.length;
    const after = this.#character(end);
    if (alphanumeric.test(after) || (found !== '' && /[-+]/.test(after)))
      return this.#fail(`bad number syntax: ${JSON.stringify(found + after)}`);
    return this.#take('number', found);
  }

  #scanWord(): boolean {
    const word = this.#match(name);
    const end = this.#at + word.length;
    if (!this.#isTerminated(end)) return this.#fail(`bad character ${unicodeName(this.#character(end))}`);
    if (keywords.has(word)) return this.#take('keyword', word);
    return this.#take(word === 'true' || word === 'false' ? 'bool' : 'identifier', word);
  }

  #delimited(kind: TokenKind, pattern: RegExp, what: string): boolean {
    const found = this.#match(pattern);
    return found === '' ? this.#fail(`unterminated ${what}`) : this.#take(kind, found);
  }

  #isTerminated(at: number): boolean {
    return /^(?:$|[ \t\r\n.,|:()]|\}\})/.test(this.#text.slice(at, at + 2));
  }

  #character(at: number = this.#at): string {
    const code = this.#text.codePointAt(at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? '';
  }

  #add(kind: TokenKind, text: string): void {
    this.#tokens.push({ kind, text, at: this.#at, line: this.#line });
  }

  /** Whether more of the action follows. */
  #take(kind: TokenKind, text: string): boolean {
    if (text === '') return true;
    this.#add(kind, kind === 'right' ? '}}' : text);
    this.#skip(text);
    return true;
  }

  #skip(text: string): void {
    this.#at += text.length;
    this.#line += text.split('\n').length - 1;
  }

  #fail(message: string): false {
    this.#add('error', message);
    return false;
  }
}
