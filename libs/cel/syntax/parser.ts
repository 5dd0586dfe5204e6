import { keywords, reservedWords } from '../types/reserved-words.ts';
import type { Expression, MapEntry, ParsedExpression, StructField } from './expression.ts';
import { type Token, type TokenKind, tokenAt } from './lexer.ts';
import { parseLiteral } from './literals.ts';
import { expandMacro } from './macros.ts';
import { findQualifiedName } from './qualified-name.ts';
import type { SourceText } from './source-text.ts';
import { syntaxIssue } from './syntax-issue.ts';
import { TreeBuilder } from './tree-builder.ts';

const relations: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=', 'in']);
const additions: ReadonlySet<string> = new Set(['+', '-']);
const multiplications: ReadonlySet<string> = new Set(['*', '/', '%']);
const numbers: ReadonlySet<TokenKind> = new Set<TokenKind>(['int', 'double']);
const literals: ReadonlySet<TokenKind> = new Set<TokenKind>(['int', 'uint', 'double', 'string', 'bytes']);

/** Recursive descent parser of one text, one function for each rule of the grammar; throws a SyntaxIssue. */
export class Parser {
  readonly #text: string;
  readonly #builder: TreeBuilder;
  #token: Token;
  #nesting = 0;

  constructor(source: SourceText) {
    this.#text = source.text;
    this.#builder = new TreeBuilder(source);
    this.#token = tokenAt(this.#text, 0);
  }

  parse(): ParsedExpression {
    const root = this.#expression();
    if (this.#token.kind !== 'end') this.#unexpected('an operator or the end');
    return { root, positions: this.#builder.positions };
  }

  #expression(): Expression {
    this.#nesting++;
    this.#builder.checkDepth(this.#nesting, this.#token.start);
    const condition = this.#disjunction();
    let result = condition;
    if (this.#isSymbol('?')) {
      const { start } = this.#take();
      const then = this.#disjunction();
      this.#expect(':');
      result = this.#builder.call('_?_:_', [condition, then, this.#expression()], start);
    }
    this.#nesting--;
    return result;
  }

  #disjunction(): Expression {
    return this.#balanced('||', '_||_', () => this.#conjunction());
  }

  #conjunction(): Expression {
    return this.#balanced('&&', '_&&_', () => this.#relation());
  }

  /** Builds a balanced tree from a long chain of a logical operator, like the standard's trees. */
  #balanced(symbol: string, name: string, operand: () => Expression): Expression {
    const terms = [operand()];
    const operators: number[] = [];
    while (this.#isSymbol(symbol)) {
      operators.push(this.#take().start);
      terms.push(operand());
    }
    return this.#balance(name, terms, operators);
  }

  #balance(name: string, terms: readonly Expression[], operators: readonly number[]): Expression {
    const [only] = terms;
    const middle = operators.length >> 1;
    const index = operators[middle];
    // The number of terms exceeds the number of operators by one.
    if (index === undefined) return only as Expression;
    const left = this.#balance(name, terms.slice(0, middle + 1), operators.slice(0, middle));
    const right = this.#balance(name, terms.slice(middle + 1), operators.slice(middle + 1));
    return this.#builder.call(name, [left, right], index);
  }

  #relation(): Expression {
    return this.#chain(relations, () => this.#sum());
  }

  #sum(): Expression {
    return this.#chain(additions, () => this.#product());
  }

  #product(): Expression {
    return this.#chain(multiplications, () => this.#unary());
  }

  #chain(operators: ReadonlySet<string>, operand: () => Expression): Expression {
    let left = operand();
    while (this.#isOperator(operators)) {
      const { text, start } = this.#take();
      const name = text === 'in' ? '@in' : `_${text}_`;
      left = this.#builder.call(name, [left, operand()], start);
    }
    return left;
  }

  #unary(): Expression {
    const { text, start } = this.#token;
    if (!this.#isSymbol('!') && !this.#isSymbol('-')) return this.#member();
    let count = 0;
    while (this.#isSymbol(text)) {
      this.#take();
      count++;
    }
    if (text === '-' && count === 1 && numbers.has(this.#token.kind))
      return this.#members(this.#builder.constant(parseLiteral(this.#take(), true), start));
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.#builder.call(`${text}_`, [operand], start);
  }

  #member(): Expression {
    return this.#members(this.#primary());
  }

  #members(first: Expression): Expression {
    let operand = first;
    for (;;) {
      if (this.#isSymbol('.')) operand = this.#selection(operand);
      else if (this.#isSymbol('[')) operand = this.#element(operand);
      else if (this.#isSymbol('{')) operand = this.#struct(operand);
      else return operand;
    }
  }

  #selection(operand: Expression): Expression {
    const { start } = this.#take();
    if (this.#token.kind !== 'name' || keywords.has(this.#token.text))
      this.#unexpected('the name of a field');
    const { text } = this.#take();
    if (!this.#isSymbol('(')) return this.#builder.select(operand, text, start);
    return this.#call(text, operand);
  }

  #element(operand: Expression): Expression {
    const { start } = this.#take();
    const index = this.#expression();
    this.#expect(']');
    return this.#builder.call('_[_]', [operand, index], start);
  }

  #call(name: string, target: Expression | undefined): Expression {
    const { start: index } = this.#take();
    const args: Expression[] = [];
    const argumentIndexes: number[] = [];
    while (!this.#isSymbol(')')) {
      argumentIndexes.push(this.#token.start);
      args.push(this.#expression());
      if (!this.#isSymbol(',')) break;
      this.#take();
      if (this.#isSymbol(')')) this.#unexpected('an argument');
    }
    this.#expect(')');
    const builder = this.#builder;
    const expanded = expandMacro({ builder, target, name, arguments: args, index, argumentIndexes });
    if (expanded !== undefined) return expanded;
    return target === undefined ? builder.call(name, args, index) : builder.method(target, name, index, args);
  }

  #primary(): Expression {
    const token = this.#token;
    if (literals.has(token.kind)) return this.#builder.constant(parseLiteral(this.#take()), token.start);
    if (token.kind === 'name') return this.#nameOrKeyword();
    if (token.kind === 'symbol')
      switch (token.text) {
        case '.':
          return this.#rootedName();
        case '(':
          return this.#parenthesized();
        case '[':
          return this.#list();
        case '{':
          return this.#map();
      }
    return this.#unexpected('an expression');
  }

  #nameOrKeyword(): Expression {
    const { text, start } = this.#take();
    switch (text) {
      case 'true':
      case 'false':
        return this.#builder.constant(text === 'true', start);
      case 'null':
        return this.#builder.constant(null, start);
      default:
        return this.#named(text, text, start);
    }
  }

  #rootedName(): Expression {
    const { start } = this.#take();
    if (this.#token.kind !== 'name' || keywords.has(this.#token.text)) this.#unexpected('a name');
    const { text } = this.#take();
    return this.#named(`.${text}`, text, start);
  }

  #named(name: string, word: string, start: number): Expression {
    if (keywords.has(word)) throw syntaxIssue(start, `unexpected '${word}', expected an expression`);
    if (reservedWords.has(word)) throw syntaxIssue(start, `reserved identifier: ${word}`);
    if (this.#isSymbol('(')) return this.#call(name, undefined);
    return this.#builder.identifier(name, start);
  }

  #parenthesized(): Expression {
    this.#take();
    const inner = this.#expression();
    this.#expect(')');
    return inner;
  }

  #list(): Expression {
    const { start } = this.#take();
    const elements: Expression[] = [];
    this.#sequence(']', () => {
      elements.push(this.#expression());
    });
    return this.#builder.list(elements, start);
  }

  #map(): Expression {
    const { start } = this.#take();
    const id = this.#builder.idAt(start);
    const entries: MapEntry[] = [];
    this.#sequence('}', () => {
      const key = this.#expression();
      const entryId = this.#builder.idAt(this.#expect(':').start);
      entries.push({ id: entryId, key, value: this.#expression() });
    });
    return this.#builder.map(id, entries, start);
  }

  #struct(operand: Expression): Expression {
    const name = findQualifiedName(operand);
    if (name === undefined) this.#unexpected('an operator or the end');
    const { start } = this.#take();
    const id = this.#builder.idAt(start);
    const fields: StructField[] = [];
    this.#sequence('}', () => {
      if (this.#token.kind !== 'name' || keywords.has(this.#token.text))
        this.#unexpected('the name of a field');
      const field = this.#take().text;
      const fieldId = this.#builder.idAt(this.#expect(':').start);
      fields.push({ id: fieldId, field, value: this.#expression() });
    });
    return this.#builder.struct(id, name, fields, start);
  }

  /** Parses items separated by commas, with an optional trailing comma. */
  #sequence(end: string, item: () => void): void {
    while (!this.#isSymbol(end)) {
      item();
      if (!this.#isSymbol(',')) break;
      this.#take();
    }
    this.#expect(end);
  }

  #isSymbol(text: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === text;
  }

  #isOperator(operators: ReadonlySet<string>): boolean {
    const { kind, text } = this.#token;
    return (kind === 'symbol' || text === 'in') && kind !== 'string' && operators.has(text);
  }

  #expect(symbol: string): Token {
    if (!this.#isSymbol(symbol)) this.#unexpected(`'${symbol}'`);
    return this.#take();
  }

  #take(): Token {
    const token = this.#token;
    this.#token = tokenAt(this.#text, token.start + token.text.length);
    return token;
  }

  #unexpected(expected: string): never {
    const { kind, text, start } = this.#token;
    throw syntaxIssue(start, `unexpected ${kind === 'end' ? 'end' : `'${text}'`}, expected ${expected}`);
  }
}
