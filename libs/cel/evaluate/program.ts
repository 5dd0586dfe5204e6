import { costExceeded, Frame } from '../frame/frame.ts';
import type { ParsedExpression } from '../syntax/expression.ts';
import type { CheckedFacts } from '../types/declarations.ts';
import { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';
import { type Compilation, CompilationError } from './compilation.ts';
import { compileExpression } from './compile-expression.ts';

/** Options of a program. */
interface ProgramOptions {
  /** The names of the variables, in the order of the values passed to `evaluate`. */
  readonly variables: readonly string[];
  /** The facts of the checker; without them the program chooses overloads by values. */
  readonly facts?: CheckedFacts | undefined;
  /** The container in which names are looked up first: in `a.b`, `x` refers to `a.b.x`, `a.x` or `x`. Default: none. */
  readonly container?: string | undefined;
  /** Whether constant literals and conversions are evaluated at compile time and cost nothing; default: true. */
  readonly folds?: boolean | undefined;
}

/** The result of an evaluation. */
export interface Evaluation {
  /** The value, or an error if the evaluation failed. */
  readonly value: Value;
  /** The cost of the evaluation; deterministic for given values. If halted, it exceeds the budget by at most one step. */
  readonly cost: number;
  /** Whether the evaluation exceeded the budget. */
  readonly isHalted: boolean;
}

/** A compiled expression that can be evaluated repeatedly. */
export interface Program {
  /**
   * Evaluates the expression. Never throws: a failure is an error in the result. `values` are in the order of the program's
   * variables, undefined for an unset one; `budget` is the maximum cost.
   */
  evaluate(values: readonly (Value | undefined)[], budget: number): Evaluation;
}

/**
 * Compiles an expression to a program; returns an error for one that cannot be compiled, for example because of an invalid
 * pattern.
 */
export function createProgram(parsed: ParsedExpression, options: ProgramOptions): Program | CelError {
  const { variables } = options;
  let slots = variables.length;
  const compilation: Compilation = {
    facts: options.facts,
    variables: new Map(variables.map((name, slot) => [name, slot])),
    container: options.container ?? '',
    folds: options.folds ?? true,
    newSlot: () => slots++,
  };
  try {
    const step = compileExpression(parsed.root, undefined, compilation);
    return { evaluate: (values, budget) => run(step, new Frame(values.slice(), budget)) };
  } catch (error) {
    if (error instanceof CompilationError) return new CelError(error.message);
    throw error;
  }
}

const halted = new CelError(costExceeded.message);
const failed = new CelError('evaluation failed: internal error');

function run(step: (frame: Frame) => Value, frame: Frame): Evaluation {
  try {
    return { value: step(frame), cost: frame.cost, isHalted: false };
  } catch (error) {
    if (error === costExceeded) return { value: halted, cost: frame.cost, isHalted: true };
    // Any other exception is a bug and must not crash the server.
    return { value: failed, cost: frame.cost, isHalted: false };
  }
}
