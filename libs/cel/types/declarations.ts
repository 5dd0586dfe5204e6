import type { CelType } from './type.ts';

/** One signature of a function: the one table that the checker, the evaluator and the cost of calls go by. */
export interface OverloadDeclaration {
  /** The standard's name: `add_int64`, `list_index_of`; unique. */
  readonly id: string;
  /** With `isMethod`, the first one is the target. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly isMethod: boolean;
}

/** A function with its signatures. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly OverloadDeclaration[];
}

/** The facts of a checked expression about its nodes, by id. */
export interface CheckedFacts {
  /** The type of each node. */
  readonly types: ReadonlyMap<number, CelType>;
  /** Of a name: the variable or enum that it means (a qualified one may be spread over selections). */
  readonly names: ReadonlyMap<number, string>;
  /** Of a call: the overloads that may be meant; more than one where types are dynamic. */
  readonly overloads: ReadonlyMap<number, readonly string[]>;
}
