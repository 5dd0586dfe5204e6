import type { Uint } from '../values/uint.ts';

/** A constant: int is a bigint, double a number, bytes a Uint8Array. */
export type Constant = null | boolean | bigint | number | string | Uint | Uint8Array;

/**
 * An expression with its macros expanded, as the standard's syntax tree has it. `id` is unique in a tree; what later
 * steps find out of a node (its type, what it refers to, where it stands in the text) is kept beside the tree by id.
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

/** A name; a leading dot stays in it. */
export interface IdentifierExpression {
  readonly kind: 'identifier';
  readonly id: number;
  readonly name: string;
}

/** `operand.field`, or, with `isTest`, `has(operand.field)`. */
export interface SelectExpression {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expression;
  readonly field: string;
  readonly isTest: boolean;
}

/** A function, a method of `target`, or an operator under the standard's name (`_+_`, `_&&_`, `!_`, `_?_:_`, `_[_]`, `@in`). */
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

/** One field of a message under construction. */
export interface StructField {
  readonly id: number;
  readonly field: string;
  readonly value: Expression;
}

/** A loop: what `all`, `exists`, `exists_one`, `map` and `filter` expand to. */
export interface ComprehensionExpression {
  readonly kind: 'comprehension';
  readonly id: number;
  /** The name of each element, or key of a map. */
  readonly variable: string;
  readonly range: Expression;
  readonly accumulator: string;
  readonly initial: Expression;
  /** Evaluated before each step; the loop ends where it is false. */
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** An expression with where its parts stand. */
export interface ParsedExpression {
  readonly root: Expression;
  /** The offset in code points of each node in the text, by id. */
  readonly positions: ReadonlyMap<number, number>;
}
