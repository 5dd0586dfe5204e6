import type { Uint } from '../values/uint.ts';

/** A constant: int is a bigint, double a number, bytes a Uint8Array. */
export type Constant = null | boolean | bigint | number | string | Uint | Uint8Array;

/**
 * An expression with expanded macros, as in the standard's syntax tree. `id` is unique in a tree; facts about a node (its type,
 * its declaration, its position in the text) are stored outside the tree by id.
 */
export type Expression =
  | ConstantExpression
  | IdentifierExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | StructExpression
  | ComprehensionExpression;

/** A literal. */
interface ConstantExpression {
  readonly kind: 'constant';
  readonly id: number;
  readonly value: Constant;
}

/** A name, including a leading dot. */
export interface IdentifierExpression {
  readonly kind: 'identifier';
  readonly id: number;
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` with `isTest`. */
export interface SelectExpression {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expression;
  readonly field: string;
  readonly isTest: boolean;
}

/**
 * A call of a function, a method of `target`, or an operator under the standard's name (`_+_`, `_&&_`, `!_`, `_?_:_`, `_[_]`,
 * `@in`).
 */
export interface CallExpression {
  readonly kind: 'call';
  readonly id: number;
  readonly target: Expression | undefined;
  readonly function: string;
  readonly arguments: readonly Expression[];
}

/** `[a, b]`. */
export interface ListExpression {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expression[];
}

/** `{a: b}`. */
export interface MapExpression {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

/** One entry of a map. */
export interface MapEntry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
}

/** `Message{field: value}`. */
export interface StructExpression {
  readonly kind: 'struct';
  readonly id: number;
  readonly name: string;
  readonly fields: readonly StructField[];
}

/** One field of a message construction. */
export interface StructField {
  readonly id: number;
  readonly field: string;
  readonly value: Expression;
}

/** A loop: the expansion of `all`, `exists`, `exists_one`, `map` and `filter`. */
export interface ComprehensionExpression {
  readonly kind: 'comprehension';
  readonly id: number;
  /** The variable of each element, or of each key of a map. */
  readonly variable: string;
  readonly range: Expression;
  readonly accumulator: string;
  readonly initial: Expression;
  /** Evaluated before each step; the loop ends when it is false. */
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** A parsed expression with the positions of its nodes. */
export interface ParsedExpression {
  readonly root: Expression;
  /** The offset of each node in the text in code points, by id. */
  readonly positions: ReadonlyMap<number, number>;
}
