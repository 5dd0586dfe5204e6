import { TemplateError } from '../template-error.ts';
import { unquoteGo } from '../values/unquote-go.ts';
import { functionNames, refusedFunctions } from './function-names.ts';
import {
  type BranchNode,
  type CommandNode,
  type Expression,
  expressionText,
  type GoTemplate,
  mainTemplate,
  type PipelineNode,
  type TemplateNode,
  type VariableNode,
} from './nodes.ts';
import { parseGoNumber } from './parse-number.ts';
import { readTokens, type Token } from './tokens.ts';

/** The longest template that is read, in characters. */
const longest = 1024 * 1024;
/** Actions and parentheses in each other. */
const deepest = 200;

/**
 * Reads a template of Go's text/template, with the functions that kubectl adds. Throws a TemplateError in the words of Go, with the
 * line; a function that is not supported is refused by its name.
 */
export function parseGoTemplate(text: string): GoTemplate {
  if (text.length > longest) throw new TemplateError(`the template has more than ${longest} characters`);
  return new TemplateReader(text).template();
}

/** The end of a list of nodes. */
interface End {
  readonly kind: 'end' | 'else';
  readonly text: string;
}

class TemplateReader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #templates = new Map<string, readonly TemplateNode[]>();
  #next = 0;
  #variables = ['$'];
  #rangeDepth = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = readTokens(text);
  }

  template(): GoTemplate {
    const nodes: TemplateNode[] = [];
    while (this.#peek().kind !== 'eof') {
      if (this.#peek().kind === 'left' && this.#peekAfterSpace(1).text === 'define') {
        this.#definition();
        continue;
      }
      const node = this.#textOrAction();
      if (isEnd(node)) throw this.#fault(`unexpected ${node.text}`);
      nodes.push(node);
    }
    this.#define(mainTemplate, nodes);
    return { text: this.#text, templates: this.#templates };
  }

  #definition(): void {
    this.#take();
    this.#takeAfterSpace();
    const name = this.#templateName('define clause');
    this.#expectRight('define clause');
    this.#define(name, this.#ownList('define clause'));
  }

  /** The nodes of a template of its own, which sees no variables of the one around it. */
  #ownList(context: string): readonly TemplateNode[] {
    const [variables, rangeDepth] = [this.#variables, this.#rangeDepth];
    this.#variables = ['$'];
    this.#rangeDepth = 0;
    const { nodes, end } = this.#list();
    if (end.kind !== 'end') throw this.#fault(`unexpected ${end.text} in ${context}`);
    this.#variables = variables;
    this.#rangeDepth = rangeDepth;
    return nodes;
  }

  #define(name: string, nodes: readonly TemplateNode[]): void {
    const existing = this.#templates.get(name);
    if (existing === undefined || isEmpty(existing)) this.#templates.set(name, nodes);
    else if (!isEmpty(nodes))
      throw this.#fault(`template: multiple definition of template ${JSON.stringify(name)}`);
  }

  #list(): { nodes: TemplateNode[]; end: End } {
    if (++this.#depth > deepest) throw this.#fault(`actions are nested deeper than ${deepest} levels`);
    const nodes: TemplateNode[] = [];
    while (this.#peekAfterSpace().kind !== 'eof') {
      const node = this.#textOrAction();
      if (isEnd(node)) {
        this.#depth--;
        return { nodes, end: node };
      }
      nodes.push(node);
    }
    throw this.#fault('unexpected EOF');
  }

  #textOrAction(): TemplateNode | End {
    const token = this.#takeAfterSpace();
    if (token.kind === 'text') return { kind: 'text', at: token.at, text: token.text };
    if (token.kind !== 'left') throw this.#unexpected(token, 'input');
    const { kind, text, at } = this.#peekAfterSpace();
    if (kind === 'keyword') {
      switch (text) {
        case 'if':
        case 'with':
        case 'range':
          this.#takeAfterSpace();
          return this.#branch(text, at);
        case 'else':
          return this.#otherwise();
        case 'end':
          this.#takeAfterSpace();
          this.#expectRight('end');
          return { kind: 'end', text: '{{end}}' };
        case 'break':
        case 'continue':
          this.#takeAfterSpace();
          return this.#leaving(text, at);
        case 'template':
        case 'block':
          this.#takeAfterSpace();
          return text === 'block' ? this.#block() : this.#invocation();
      }
    }
    return { kind: 'action', at, pipeline: this.#pipeline('command') };
  }

  #otherwise(): End {
    this.#takeAfterSpace();
    const { text } = this.#peekAfterSpace();
    if (text !== 'if' && text !== 'with') this.#expectRight('else');
    return { kind: 'else', text: '{{else}}' };
  }

  #leaving(kind: 'break' | 'continue', at: number): TemplateNode {
    this.#expectRight(`{{${kind}}}`);
    if (this.#rangeDepth === 0) throw this.#fault(`{{${kind}}} outside {{range}}`);
    return { kind, at };
  }

  #branch(kind: BranchNode['kind'], at: number): BranchNode {
    const variables = this.#variables.length;
    const pipeline = this.#pipeline(kind);
    if (kind === 'range') this.#rangeDepth++;
    const { nodes, end } = this.#list();
    if (kind === 'range') this.#rangeDepth--;
    const otherwise = end.kind === 'else' ? this.#otherwiseList(kind) : [];
    this.#variables.length = variables;
    return { kind, at, pipeline, body: nodes, otherwise };
  }

  #otherwiseList(kind: BranchNode['kind']): readonly TemplateNode[] {
    const { text, at } = this.#peekAfterSpace();
    if (kind !== 'range' && text === kind) {
      this.#takeAfterSpace();
      if (++this.#depth > deepest) throw this.#fault(`actions are nested deeper than ${deepest} levels`);
      const branch = this.#branch(kind, at);
      this.#depth--;
      return [branch];
    }
    const { nodes, end } = this.#list();
    if (end.kind !== 'end') throw this.#fault(`expected end; found ${end.text}`);
    return nodes;
  }

  #block(): TemplateNode {
    const { at } = this.#peekAfterSpace();
    const name = this.#templateName('block clause');
    const pipeline = this.#pipeline('block clause');
    this.#define(name, this.#ownList('block clause'));
    return { kind: 'template', at, name, pipeline };
  }

  #invocation(): TemplateNode {
    const { at } = this.#peekAfterSpace();
    const name = this.#templateName('template clause');
    if (this.#peekAfterSpace().kind !== 'right')
      return { kind: 'template', at, name, pipeline: this.#pipeline('template clause') };
    this.#takeAfterSpace();
    return { kind: 'template', at, name, pipeline: undefined };
  }

  #templateName(context: string): string {
    const token = this.#takeAfterSpace();
    if (token.kind !== 'string') throw this.#unexpected(token, context);
    return this.#unquote(token.text);
  }

  /** The end of a pipeline is that of the action, or a parenthesis. */
  #pipeline(context: string, close = '}}'): PipelineNode {
    const { at } = this.#peekAfterSpace();
    const { variables, isAssignment } = this.#declarations(context);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.#peekAfterSpace();
      if (token.text === close && (token.kind === 'right' || token.kind === 'sign')) break;
      if (!startsOperand(token)) {
        this.#takeAfterSpace();
        throw this.#unexpected(token, context);
      }
      commands.push(this.#command());
    }
    this.#takeAfterSpace();
    if (commands.length === 0) throw this.#fault(`missing value for ${context}`);
    for (const [index, { words }] of commands.entries())
      if (index > 0 && ['bool', 'dot', 'nil', 'number', 'string'].includes(words[0]?.kind ?? ''))
        throw this.#fault(`non executable command in pipeline stage ${index + 1}`);
    return { kind: 'pipeline', at, variables, isAssignment, commands };
  }

  #declarations(context: string): Pick<PipelineNode, 'variables' | 'isAssignment'> {
    const variables: VariableNode[] = [];
    for (;;) {
      const token = this.#peekAfterSpace();
      if (token.kind !== 'variable') break;
      const sign = this.#signAfter(token);
      if (sign !== '=' && sign !== ':=' && sign !== ',') break;
      this.#takeAfterSpace();
      this.#takeAfterSpace();
      variables.push({ kind: 'variable', at: token.at, name: token.text, names: [] });
      this.#variables.push(token.text);
      if (sign !== ',') return { variables, isAssignment: sign === '=' };
      if (context !== 'range' || variables.length > 1)
        throw this.#fault(`too many declarations in ${context}`);
      if (this.#peekAfterSpace().kind !== 'variable')
        throw this.#fault('range can only initialize variables');
    }
    return { variables, isAssignment: false };
  }

  #signAfter(token: Token): string {
    let index = this.#tokens.indexOf(token, this.#next) + 1;
    while (this.#tokens[index]?.kind === 'space') index++;
    const next = this.#tokens[index];
    return next?.kind === 'sign' ? next.text : '';
  }

  #command(): CommandNode {
    const { at } = this.#peekAfterSpace();
    const words: Expression[] = [];
    for (;;) {
      this.#peekAfterSpace();
      const operand = this.#operand();
      if (operand !== undefined) words.push(operand);
      const token = this.#take();
      if (token.kind === 'space') continue;
      if (token.kind === 'sign' && token.text === '|') break;
      if (token.kind !== 'right' && !(token.kind === 'sign' && token.text === ')'))
        throw this.#unexpected(token, 'operand');
      this.#next--;
      break;
    }
    if (words.length === 0) throw this.#fault('empty command');
    return { at, words };
  }

  #operand(): Expression | undefined {
    const term = this.#term();
    const { kind, at } = this.#peek();
    if (term === undefined || kind !== 'field') return term;
    const names: string[] = [];
    while (this.#peek().kind === 'field') names.push(this.#take().text.slice(1));
    switch (term.kind) {
      case 'field':
        return { kind: 'field', at, names: [...term.names, ...names] };
      case 'variable':
        return { ...term, at, names };
      case 'function':
      case 'chain':
      case 'pipeline':
        return { kind: 'chain', at, from: term, names };
      default:
        throw this.#fault(`unexpected . after term ${JSON.stringify(expressionText(term))}`);
    }
  }

  #term(): Expression | undefined {
    const token = this.#takeAfterSpace();
    const { at, text } = token;
    switch (token.kind) {
      case 'identifier':
        return { kind: 'function', at, name: this.#functionName(text) };
      case 'keyword':
        if (text === '.') return { kind: 'dot', at };
        if (text === 'nil') return { kind: 'nil', at };
        break;
      case 'variable':
        if (!this.#variables.includes(text)) throw this.#fault(`undefined variable ${JSON.stringify(text)}`);
        return { kind: 'variable', at, name: text, names: [] };
      case 'field':
        return { kind: 'field', at, names: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', at, value: text === 'true' };
      case 'character':
        return { kind: 'number', at, text, value: this.#character(text) };
      case 'number':
        return { kind: 'number', at, text, value: this.#inPlace(() => parseGoNumber(text)) };
      case 'string':
        return { kind: 'string', at, quoted: text, text: this.#unquote(text) };
      case 'sign':
        if (text === '(') return this.#parenthesis();
    }
    this.#next--;
    return undefined;
  }

  #parenthesis(): Expression {
    if (++this.#depth > deepest) throw this.#fault('max expression depth exceeded');
    const pipeline = this.#pipeline('parenthesized pipeline', ')');
    this.#depth--;
    return pipeline;
  }

  #functionName(name: string): string {
    if (refusedFunctions.has(name)) throw this.#fault(`function ${JSON.stringify(name)} is not supported`);
    if (!functionNames.has(name)) throw this.#fault(`function ${JSON.stringify(name)} not defined`);
    return name;
  }

  #character(quoted: string): bigint {
    const [character, ...others] = [...(unquoteGo(quoted) ?? '')];
    if (character === undefined || others.length > 0)
      throw this.#fault(`malformed character constant: ${quoted}`);
    return BigInt(character.codePointAt(0) ?? 0);
  }

  #unquote(quoted: string): string {
    const text = quoted.startsWith('`') ? quoted.slice(1, -1).replaceAll('\r', '') : unquoteGo(quoted);
    if (text === undefined) throw this.#fault('invalid syntax');
    return text;
  }

  #inPlace<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw error instanceof TemplateError ? this.#fault(error.message) : error;
    }
  }

  #expectRight(context: string): void {
    const token = this.#takeAfterSpace();
    if (token.kind !== 'right') throw this.#unexpected(token, context);
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? this.#tokens.at(-1)!; // There is always the end.
  }

  /** The next token that is no space, which is skipped; or that after it, which is left. */
  #peekAfterSpace(ahead = 0): Token {
    let index = this.#next + ahead;
    while (this.#tokens[index]?.kind === 'space') index++;
    if (ahead === 0) this.#next = index;
    return this.#tokens[index] ?? this.#tokens.at(-1)!; // As above.
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #takeAfterSpace(): Token {
    this.#peekAfterSpace();
    return this.#take();
  }

  #unexpected(token: Token, context: string): TemplateError {
    if (token.kind === 'error') return this.#fault(token.text, token.line);
    return this.#fault(`unexpected ${tokenText(token)} in ${context}`, token.line);
  }

  #fault(message: string, line = (this.#tokens[this.#next - 1] ?? this.#peek()).line): TemplateError {
    const shown = this.#peek().kind === 'eof' ? this.#peek().line : line;
    return new TemplateError(`template: ${mainTemplate}:${shown}: ${message}`);
  }
}

function isEnd(node: TemplateNode | End): node is End {
  return node.kind === 'end' || node.kind === 'else';
}

function startsOperand({ kind, text }: Token): boolean {
  if (kind === 'keyword') return text === '.' || text === 'nil';
  if (kind === 'sign') return text === '(';
  return ['bool', 'character', 'field', 'identifier', 'number', 'string', 'variable'].includes(kind);
}

function isEmpty(nodes: readonly TemplateNode[]): boolean {
  return nodes.every(node => node.kind === 'text' && node.text.trim() === '');
}

/** A token as Go writes it in a message. */
function tokenText({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF';
  if (kind === 'keyword') return `<${text}>`;
  return text.length > 10 ? `${JSON.stringify(text.slice(0, 10))}...` : JSON.stringify(text);
}
