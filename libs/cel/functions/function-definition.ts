import type { Range } from '../cost/size-range.ts';
import type { Frame } from '../frame/frame.ts';
import type { Expression } from '../syntax/expression.ts';
import type { FunctionDeclaration, OverloadDeclaration } from '../types/declarations.ts';
import type { CelType } from '../types/type.ts';
import type { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';

/** A function that expressions call by its name: the checker, the evaluator and the estimator all go by this. */
export interface FunctionDefinition extends CallDefinition {
  /** Tells the overloads apart by the values that it gets. */
  readonly evaluate: LibraryFunction;
  /** Whether a call with one constant is evaluated when the program is made, if constants are folded; default false. */
  readonly isFoldable?: boolean;
  /** Makes what evaluates calls whose second argument is that constant pattern; an error for an invalid pattern. */
  readonly withLiteralPattern?: (pattern: string) => LibraryFunction | CelError;
  /** Makes what evaluates checked calls that can only mean the overload of that id, where values do not tell which. */
  readonly withOverload?: (id: string) => LibraryFunction;
}

/** An operator, under the name that the tree has for it; `evaluate` compiles each in its own way. */
export interface OperatorDefinition extends CallDefinition {
  /** Signatures for numbers of two types: not declared where existing clients expect them to be refused. */
  readonly mixedOverloads?: readonly OverloadDeclaration[];
  /** The cost of the operands where not all of them are evaluated; default the sum. */
  readonly operandCosts?: (costs: readonly Range[]) => Range;
}

/** The definition that the checker and the estimator use; overloads stand in the order in which the checker tries them. */
export interface CallDefinition extends FunctionDeclaration {
  readonly estimate: Estimate;
}

/**
 * Evaluates a call; a method takes its target first. It looks at what it is given and charges its cost before it works.
 * No argument is an error; what it cannot take it answers with undefined.
 */
export type LibraryFunction = (args: readonly Value[], frame: Frame) => Value | undefined;

/** Estimates a call; a method has its target as the first operand. */
export type Estimate = (operands: Operands) => CallEstimate;

/** The cost of a call besides its operands, and the size of its result where that is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** The operands of a call; those that it does not have are of size 0. */
export interface Operands {
  readonly first: Operand;
  readonly second: Operand;
  readonly third: Operand;
}

/** An operand of a call: the expression with what is known of it. */
export interface Operand {
  readonly expression: Expression | undefined;
  readonly type: CelType | undefined;
  readonly size: Range;
  /** Of a list: the size of each element. */
  readonly elementSize: Range;
}
