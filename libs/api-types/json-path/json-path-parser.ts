import { numberFromText } from '@binnacle/api-objects';
import type { JsonPath, JsonPathFilter, JsonPathStep } from './json-path.ts';

/** Maximum length of a path in characters. */
const longest = 1024;

/**
 * Parses a JSON path of a printer column: `.a.b`, `['a.b']`, `[0]`, `[-1]`, `[1:3]`, `[*]`, `.*`, `..a`, `[0,2]` and filters that
 * compare a path with a value (`[?(@.type=="Ready")]`) or test its presence (`[?(@.type)]`). Returns the fault of an invalid path
 * instead of throwing.
 */
export function parseJsonPath(text: string): JsonPath | { readonly fault: string } {
  if (text.length > longest) return { fault: `must have at most ${longest} characters` };
  const reader = new PathReader(text);
  try {
    return reader.steps();
  } catch (thrown) {
    if (!(thrown instanceof PathFault)) throw thrown;
    return { fault: thrown.message };
  }
}

class PathFault extends Error {}

/** Characters that a name must escape with a backslash. */
const endOfName = /[.[\]()\s,'"=!<>]/;
const operators = ['==', '!=', '<=', '>=', '<', '>'] as const;

/** Parser of a path. */
class PathReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(): JsonPathStep[] {
    const steps: JsonPathStep[] = [];
    while (this.#at < this.#text.length) steps.push(this.#step());
    return steps;
  }

  #step(): JsonPathStep {
    if (this.#accepts('..')) return { kind: 'below', name: this.#peek() === '[' ? '*' : this.#name() };
    if (this.#accepts('.')) return this.#peek() === '[' ? this.#bracket() : namedStep(this.#name());
    if (this.#peek() === '[') return this.#bracket();
    throw new PathFault(`has an unexpected character at position ${this.#at + 1}`);
  }

  #name(): string {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#peek();
      if (character === '\\') name += this.#text[++this.#at] ?? '';
      else if (endOfName.test(character)) break;
      else name += character;
    }
    if (name === '') throw new PathFault(`lacks a name at position ${this.#at + 1}`);
    return name;
  }

  #bracket(): JsonPathStep {
    this.#expect('[');
    if (this.#accepts('?(')) {
      const filter = this.#filter();
      this.#expect(')]');
      return { kind: 'filter', filter };
    }
    const parts = [this.#part()];
    while (this.#accepts(',')) parts.push(this.#part());
    this.#expect(']');
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only : { kind: 'union', steps: parts };
  }

  #part(): JsonPathStep {
    this.#skipSpace();
    const quote = this.#peek();
    if (quote === "'" || quote === '"') return { kind: 'child', name: this.#quoted() };
    const start = this.#at;
    while (/[-0-9:*]/.test(this.#peek())) this.#at++;
    const text = this.#text.slice(start, this.#at);
    this.#skipSpace();
    if (text === '*') return { kind: 'every' };
    if (/^-?\d+$/.test(text)) return { kind: 'index', index: Number(text) };
    const slice = /^(-?\d*):(-?\d*)(?::(\d*))?$/.exec(text);
    if (slice === null) throw new PathFault(`lacks an index at position ${start + 1}`);
    const [, from = '', to = '', by = ''] = slice;
    return {
      kind: 'slice',
      from: from === '' ? undefined : Number(from),
      to: to === '' ? undefined : Number(to),
      by: Math.max(1, Number(by === '' ? 1 : by)),
    };
  }

  #filter(): JsonPathFilter {
    this.#skipSpace();
    const left = this.#operand();
    this.#skipSpace();
    const operator = operators.find(candidate => this.#accepts(candidate));
    if (operator === undefined) return { left, operator: undefined, right: undefined };
    this.#skipSpace();
    const right = this.#operand();
    this.#skipSpace();
    return { left, operator, right };
  }

  #operand(): JsonPathFilter['left'] {
    const character = this.#peek();
    if (character === "'" || character === '"') return { value: this.#quoted() };
    if (this.#accepts('@')) {
      const path: JsonPathStep[] = [];
      while (this.#peek() === '.' || this.#peek() === '[') path.push(this.#step());
      return { path };
    }
    const start = this.#at;
    while (/[-+.\w]/.test(this.#peek())) this.#at++;
    const text = this.#text.slice(start, this.#at);
    if (text === 'true' || text === 'false') return { value: text === 'true' };
    if (text === '' || !Number.isFinite(Number(text)))
      throw new PathFault(`compares with an invalid value at position ${start + 1}`);
    return { value: numberFromText(text) };
  }

  #quoted(): string {
    const quote = this.#peek();
    let text = '';
    for (this.#at++; this.#peek() !== quote; this.#at++) {
      if (this.#at >= this.#text.length) throw new PathFault('has a quotation mark that is not closed');
      if (this.#peek() === '\\') this.#at++;
      text += this.#peek();
    }
    this.#at++;
    return text;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #accepts(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    this.#skipSpace();
    if (!this.#accepts(token)) throw new PathFault(`lacks ${token} at position ${this.#at + 1}`);
  }

  #skipSpace(): void {
    while (this.#peek() === ' ') this.#at++;
  }
}

function namedStep(name: string): JsonPathStep {
  return name === '*' ? { kind: 'every' } : { kind: 'child', name };
}
