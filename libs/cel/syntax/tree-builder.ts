import type {
  CallExpression,
  ComprehensionExpression,
  Constant,
  Expression,
  ListExpression,
  MapEntry,
  MapExpression,
  StructExpression,
  StructField,
} from './expression.ts';
import type { SourceText } from './source-text.ts';
import { syntaxIssue } from './syntax-issue.ts';

/** Maximum depth of a tree, including the grammar steps that lead to an operand. */
const maximumDepth = 250;
const grammarSteps = 6;

/** The parts of a loop besides variable and range. */
type LoopParts = Pick<ComprehensionExpression, 'accumulator' | 'initial' | 'condition' | 'step' | 'result'>;

/** Creates the nodes of one tree: assigns ids, records positions, and refuses trees that are too deep. */
export class TreeBuilder {
  readonly positions = new Map<number, number>();
  readonly #source: SourceText;
  /** The height of the subtree of each node, by id. */
  readonly #heights: number[] = [];
  #lastId = 0;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** Allocates the id of a node at an index of the text. */
  idAt(index: number): number {
    const id = ++this.#lastId;
    this.positions.set(id, this.#source.offsetOf(index));
    return id;
  }

  constant(value: Constant, index: number): Expression {
    return this.#leaf({ kind: 'constant', id: this.idAt(index), value });
  }

  identifier(name: string, index: number): Expression {
    return this.#leaf({ kind: 'identifier', id: this.idAt(index), name });
  }

  select(operand: Expression, field: string, index: number): Expression {
    const id = this.idAt(index);
    this.#grow(id, [operand], index);
    return { kind: 'select', id, operand, field, isTest: false };
  }

  fieldTest(operand: Expression, field: string, index: number): Expression {
    const id = this.idAt(index);
    this.#grow(id, [operand], index);
    return { kind: 'select', id, operand, field, isTest: true };
  }

  call(name: string, args: readonly Expression[], index: number): CallExpression {
    const id = this.idAt(index);
    this.#grow(id, args, index);
    return { kind: 'call', id, target: undefined, function: name, arguments: args };
  }

  method(target: Expression, name: string, index: number, args: readonly Expression[]): CallExpression {
    const id = this.idAt(index);
    this.#grow(id, [target, ...args], index);
    return { kind: 'call', id, target, function: name, arguments: args };
  }

  list(elements: readonly Expression[], index: number): ListExpression {
    const id = this.idAt(index);
    this.#grow(id, elements, index);
    return { kind: 'list', id, elements };
  }

  map(id: number, entries: readonly MapEntry[], index: number): MapExpression {
    this.#grow(
      id,
      entries.flatMap(({ key, value }) => [key, value]),
      index,
    );
    return { kind: 'map', id, entries };
  }

  struct(id: number, name: string, fields: readonly StructField[], index: number): StructExpression {
    this.#grow(
      id,
      fields.map(({ value }) => value),
      index,
    );
    return { kind: 'struct', id, name, fields };
  }

  /** Creates a loop, which counts as one level of depth. */
  loop(index: number, variable: string, range: Expression, parts: LoopParts): Expression {
    const id = this.idAt(index);
    this.#heights[id] = Math.max(this.#heightOf(range), this.#heightOf(parts.step) - 1) + 1;
    return { kind: 'comprehension', id, variable, range, ...parts };
  }

  #leaf<T extends Expression>(node: T): T {
    this.#heights[node.id] = 1;
    return node;
  }

  #grow(id: number, children: readonly Expression[], index: number): void {
    let height = 0;
    for (const child of children) height = Math.max(height, this.#heightOf(child));
    this.#heights[id] = height + 1;
    this.checkDepth(height + 1, index);
  }

  #heightOf({ id }: Expression): number {
    return this.#heights[id] ?? 1;
  }

  /** Throws a SyntaxIssue if a depth exceeds the maximum. */
  checkDepth(depth: number, index: number): void {
    if (depth + grammarSteps > maximumDepth) throw syntaxIssue(index, 'max recursion depth exceeded');
  }
}
