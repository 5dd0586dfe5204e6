import type { CelType } from './type.ts';

/** One overload of a function, used by the checker, the evaluator and the estimator. */
export interface OverloadDeclaration {
  /** The standard's unique id: `add_int64`, `list_index_of`. */
  readonly id: string;
  /** With `isMethod`, the first parameter is the target. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly isMethod: boolean;
}

/** A function with its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly OverloadDeclaration[];
}

/** The facts of a checked expression, by node id. */
export interface CheckedFacts {
  /** The type of each node. */
  readonly types: ReadonlyMap<number, CelType>;
  /** The variable or enum of each name; a qualified name may span several selections. */
  readonly names: ReadonlyMap<number, string>;
  /** The possible overloads of each call; more than one if types are dynamic. */
  readonly overloads: ReadonlyMap<number, readonly string[]>;
}
