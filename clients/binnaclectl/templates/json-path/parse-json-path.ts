import { TemplateError } from '../template-error.ts';
import { unicodeName } from '../values/unicode-name.ts';
import { unquoteGo } from '../values/unquote-go.ts';
import type { JsonPathList, JsonPathPart, JsonPathStep, JsonPathTemplate } from './json-path-template.ts';

/** The longest template that is read, in characters. */
const longest = 64 * 1024;

/**
 * Reads a JSONPath template of kubectl: text with parts in braces. It is not the language of
 * printer columns, which are one path, lead nowhere where they do not fit, and are checked by the server. Throws a TemplateError in
 * the words of kubectl.
 */
export function parseJsonPath(text: string): JsonPathTemplate {
  if (text.length > longest) throw new TemplateError(`the template has more than ${longest} characters`);
  return { text, parts: new JsonPathReader(text).parts() };
}

/** The template that a path stands for where kubectl does without braces and the first dot: `metadata.name`. */
export function relaxedJsonPath(path: string): string {
  const [, braced, bare] = relaxedPath.exec(path) ?? [];
  if (path === '') return path;
  if (braced === undefined && bare === undefined)
    throw new TemplateError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  return `{.${braced ?? bare}}`;
}

const relaxedPath = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/;

const dictionaryKey = /^'([^']*)'$/;
const slice = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/;
const alphanumeric = /[\p{L}\p{Nd}_]/u;
const digit = /\p{Nd}/u;
/** Characters that end a name unless a backslash stands before them; the end of the text is one. */
const terminators = new Set(['', ' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}']);

/** The steps of a text that stands between braces. */
function readSteps(text: string, depth: number): JsonPathList {
  const [part] = new JsonPathReader(`{${text}}`, depth).parts();
  return part?.kind === 'list' ? part : { kind: 'list', steps: [] };
}

/** Filters and unions in each other, which are read one inside the other. */
const deepest = 100;

/** Reads a template from left to right. */
class JsonPathReader {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;

  constructor(text: string, depth = 0) {
    if (depth > deepest) throw new TemplateError(`filters are nested deeper than ${deepest} levels`);
    this.#text = text;
    this.#depth = depth;
  }

  parts(): JsonPathPart[] {
    const parts: JsonPathPart[] = [];
    while (this.#at < this.#text.length) {
      const brace = this.#text.indexOf('{', this.#at);
      const text = this.#text.slice(this.#at, brace < 0 ? undefined : brace);
      if (text !== '') parts.push({ kind: 'text', text });
      if (brace < 0) break;
      this.#at = brace + 1;
      parts.push({ kind: 'list', steps: this.#steps() });
    }
    return parts;
  }

  #steps(): JsonPathStep[] {
    const steps: JsonPathStep[] = [];
    while (!this.#accepts('}')) {
      if (this.#accepts('[?(')) steps.push(this.#filter());
      else if (this.#accepts('..')) this.#recursive(steps);
      else steps.push(...this.#step());
    }
    return steps;
  }

  #step(): readonly JsonPathStep[] {
    const character = this.#next();
    switch (character) {
      case '':
      case '\r':
      case '\n':
        throw new TemplateError('unclosed action');
      // The current value, which the next step starts from.
      case ' ':
      case '@':
      case '$':
        return [];
      case '[':
        return this.#array();
      case '"':
      case "'":
        return [this.#quoted(character)];
      case '.':
        return [this.#field()];
    }
    this.#at -= character.length;
    if (character === '+' || character === '-' || digit.test(character)) return [this.#number()];
    if (alphanumeric.test(character)) return [this.#identifier()];
    throw new TemplateError(`unrecognized character in action: ${unicodeName(character)}`);
  }

  #recursive(steps: JsonPathStep[]): void {
    if (steps.at(-1)?.kind === 'recursive') throw new TemplateError('invalid multiple recursive descent');
    steps.push({ kind: 'recursive' });
    if (alphanumeric.test(this.#peek())) steps.push(this.#field());
  }

  #field(): JsonPathStep {
    const start = this.#at;
    while (!terminators.has(this.#peek())) if (this.#next() === '\\') this.#next();
    const name = this.#text.slice(start, this.#at);
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #identifier(): JsonPathStep {
    const start = this.#at;
    while (!terminators.has(this.#peek())) this.#next();
    const name = this.#text.slice(start, this.#at);
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true' };
    return { kind: 'identifier', name };
  }

  #number(): JsonPathStep {
    const start = this.#at++;
    while (this.#peek() === '.' || digit.test(this.#peek())) this.#next();
    const text = this.#text.slice(start, this.#at);
    if (/^[+-]?[0-9]{1,18}$/.test(text)) return { kind: 'literal', value: BigInt(text.replace('+', '')) };
    const value = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) throw new TemplateError(`cannot parse number ${text}`);
    return { kind: 'literal', value };
  }

  /** After the bracket: an index, slice, key or union of them. */
  #array(): readonly JsonPathStep[] {
    const end = /[\]\n]/g;
    end.lastIndex = this.#at;
    const found = end.exec(this.#text);
    if (found?.[0] !== ']') throw new TemplateError('unterminated array');
    const written = this.#text.slice(this.#at, found.index);
    this.#at = found.index + 1;
    const text = written === '*' ? ':' : written;
    const parts = text.split(',');
    if (parts.length > 1) {
      const lists = parts.map(part => readSteps(`[${part.replaceAll(/^ +| +$/g, '')}]`, this.#depth + 1));
      return [{ kind: 'union', lists }];
    }
    const key = dictionaryKey.exec(text)?.[1];
    return key === undefined ? [readSlice(text)] : readSteps(`.${key}`, this.#depth + 1).steps;
  }

  /** After `[?(`. A quoted text may hold a parenthesis. */
  #filter(): JsonPathStep {
    const start = this.#at;
    let quote = '';
    let isClosed = false;
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new TemplateError('unterminated filter');
      if (character === ')' && (quote === '' || isClosed)) break;
      if (character !== '"' && character !== "'") continue;
      if (quote === '') quote = character;
      else if (character === quote && this.#text[this.#at - 2] !== '\\') isClosed = true;
    }
    const text = this.#text.slice(start, this.#at - 1);
    if (!this.#accepts(']')) throw new TemplateError('unclosed array expect ]');
    const [, left = text, operator = 'exists', right = ''] = comparison.exec(text) ?? [];
    return {
      kind: 'filter',
      left: readSteps(left, this.#depth + 1),
      operator,
      right: readSteps(right, this.#depth + 1),
    };
  }

  #quoted(quote: string): JsonPathStep {
    const start = this.#at - 1;
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new TemplateError('unterminated quoted string');
      if (character === quote && this.#text[this.#at - 2] !== '\\') break;
    }
    const text = this.#text.slice(start, this.#at);
    const unquoted = unquoteGo(text);
    if (unquoted === undefined) throw new TemplateError(`unquote string ${text} error invalid syntax`);
    return { kind: 'text', text: unquoted };
  }

  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #next(): string {
    const character = this.#peek();
    this.#at += character.length;
    return character;
  }

  #accepts(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }
}

function readSlice(text: string): JsonPathStep {
  const found = slice.exec(text);
  if (found === null) throw new TemplateError(`invalid array index ${text}`);
  const [from, to, by] = [found[1], found[2], found[3]].map(part => readIndex(part?.replace(':', '')));
  const isIndex = found[2] === undefined;
  return { kind: 'slice', from, to: isIndex ? (from ?? 0) + 1 : to, by, isIndex };
}

function readIndex(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw new TemplateError(`array index ${text} is not a number`);
  return Number(text);
}
