import type { Range } from '../cost/size-range.ts';
import type { Frame } from '../frame/frame.ts';
import type { Expression } from '../syntax/expression.ts';
import type { FunctionDeclaration, OverloadDeclaration } from '../types/declarations.ts';
import type { CelType } from '../types/type.ts';
import type { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';

/** A function that expressions call by name; used by the checker, the evaluator and the estimator. */
export interface FunctionDefinition extends CallDefinition {
  /** Evaluates a call, choosing the overload by the values. */
  readonly evaluate: LibraryFunction;
  /** Whether a call with one constant argument is evaluated at compile time if constants are folded; default: false. */
  readonly isFoldable?: boolean;
  /** Creates the evaluation of calls whose second argument is a constant pattern; returns an error for an invalid pattern. */
  readonly withLiteralPattern?: (pattern: string) => LibraryFunction | CelError;
  /** Creates the evaluation of checked calls with a single possible overload, for functions whose values do not determine it. */
  readonly withOverload?: (id: string) => LibraryFunction;
}

/** An operator under its name in the syntax tree; `evaluate` compiles each operator separately. */
export interface OperatorDefinition extends CallDefinition {
  /** Overloads for numbers of two different types; not declared for API expressions, because existing clients expect errors. */
  readonly mixedOverloads?: readonly OverloadDeclaration[];
  /** Combines the costs of operands that are not all evaluated; default: their sum. */
  readonly operandCosts?: (costs: readonly Range[]) => Range;
}

/** The definition used by the checker and the estimator; overloads are in the order in which the checker tries them. */
export interface CallDefinition extends FunctionDeclaration {
  readonly estimate: Estimate;
}

/**
 * Evaluates a call; the first argument of a method is its target. Checks its arguments, and charges its cost before it works.
 * Arguments are never errors; returns undefined for unsupported arguments.
 */
export type LibraryFunction = (args: readonly Value[], frame: Frame) => Value | undefined;

/** Estimates a call; the first operand of a method is its target. */
export type Estimate = (operands: Operands) => CallEstimate;

/** The cost of a call without its operands, and the size of its result if known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** The operands of a call; missing ones have size 0. */
export interface Operands {
  readonly first: Operand;
  readonly second: Operand;
  readonly third: Operand;
}

/** An operand of a call, with its type and size. */
export interface Operand {
  readonly expression: Expression | undefined;
  readonly type: CelType | undefined;
  readonly size: Range;
  /** The size of each element of a list. */
  readonly elementSize: Range;
}
