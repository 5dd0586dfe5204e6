/** An expression of a Go template; `at` is its place in the text. */
export type Expression =
  | { readonly kind: 'dot' | 'nil'; readonly at: number }
  | { readonly kind: 'bool'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'number'; readonly at: number; readonly text: string; readonly value: bigint | number }
  | { readonly kind: 'string'; readonly at: number; readonly quoted: string; readonly text: string }
  | { readonly kind: 'field'; readonly at: number; readonly names: readonly string[] }
  | VariableNode
  | { readonly kind: 'function'; readonly at: number; readonly name: string }
  /** Fields of the value of another expression: `(index .a 0).b`. */
  | {
      readonly kind: 'chain';
      readonly at: number;
      readonly from: Expression;
      readonly names: readonly string[];
    }
  | PipelineNode;

/** `$x`, and `$x.a.b`. */
export interface VariableNode {
  readonly kind: 'variable';
  readonly at: number;
  readonly name: string;
  readonly names: readonly string[];
}

/** Commands, each with the value of the one before it as its last argument, and the variables that the value goes into. */
export interface PipelineNode {
  readonly kind: 'pipeline';
  readonly at: number;
  readonly variables: readonly VariableNode[];
  /** Whether the variables exist: `=`, not `:=`. */
  readonly isAssignment: boolean;
  readonly commands: readonly CommandNode[];
}

/** A function or value, and arguments. */
export interface CommandNode {
  readonly at: number;
  readonly words: readonly Expression[];
}

/** A part of a template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly at: number; readonly text: string }
  | { readonly kind: 'action'; readonly at: number; readonly pipeline: PipelineNode }
  | BranchNode
  | InvocationNode
  | { readonly kind: 'break' | 'continue'; readonly at: number };

/** `if`, `with` and `range`. */
export interface BranchNode {
  readonly kind: 'if' | 'with' | 'range';
  readonly at: number;
  readonly pipeline: PipelineNode;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

/** `{{template "name" pipeline}}`. */
export interface InvocationNode {
  readonly kind: 'template';
  readonly at: number;
  readonly name: string;
  readonly pipeline: PipelineNode | undefined;
}

/** A template that is read: its parts by the names of `define`, its own under `output` as kubectl has it. */
export interface GoTemplate {
  readonly text: string;
  readonly templates: ReadonlyMap<string, readonly TemplateNode[]>;
}

/** The name that kubectl gives a template; messages begin with it. */
export const mainTemplate = 'output';

/** An expression as Go writes it in a message. */
export function expressionText(node: Expression): string {
  switch (node.kind) {
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
    case 'field':
      return node.names.map(name => `.${name}`).join('');
    case 'variable':
      return [node.name, ...node.names].join('.');
    case 'function':
      return node.name;
    case 'chain': {
      const from = expressionText(node.from);
      const shown = node.from.kind === 'pipeline' ? `(${from})` : from;
      return `${shown}${node.names.map(name => `.${name}`).join('')}`;
    }
    case 'pipeline': {
      const variables = node.variables.map(expressionText).join(', ');
      const sign = node.isAssignment ? ' = ' : ' := ';
      return `${variables && `${variables}${sign}`}${node.commands.map(commandText).join(' | ')}`;
    }
  }
}

/** A command as Go writes it in a message. */
export function commandText({ words }: CommandNode): string {
  return words
    .map(word => (word.kind === 'pipeline' ? `(${expressionText(word)})` : expressionText(word)))
    .join(' ');
}
