import { costExceeded, Frame } from '../frame/frame.ts';
import type { ParsedExpression } from '../syntax/expression.ts';
import type { CheckedFacts } from '../types/declarations.ts';
import { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';
import { type Compilation, CompilationError } from './compilation.ts';
import { compileExpression } from './compile-expression.ts';

/** How a program is made. */
interface ProgramOptions {
  /** The names of the variables, in the order of the values that `evaluate` gets. */
  readonly variables: readonly string[];
  /** The facts from the checker; without them the program goes by the values that it meets. */
  readonly facts?: CheckedFacts | undefined;
  /** Where names are looked for first: `a.b` finds `a.b.x`, `a.x` and `x` for `x`. Default none. */
  readonly container?: string | undefined;
  /** Whether literals and conversions of constants are made beforehand and cost nothing; default true. */
  readonly folds?: boolean | undefined;
}

/** The result of an evaluation. */
export interface Evaluation {
  /** An error where it failed. */
  readonly value: Value;
  /** The cost of the evaluation; the same for the same values. When halted, at most one step more than the budget. */
  readonly cost: number;
  /** Whether the budget was used up before there was a result. */
  readonly isHalted: boolean;
}

/** An expression that can be evaluated, any number of times, over values of its variables. */
export interface Program {
  /**
   * Evaluates. Never throws: what fails is an error in the result. Values are in the order of the program's variables,
   * undefined for one that has none; the budget is the most that the evaluation may cost.
   */
  evaluate(values: readonly (Value | undefined)[], budget: number): Evaluation;
}

/** Makes a program of an expression, or an error of one that cannot become one: a pattern, say, that is none. */
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
    // Any other failure is a defect, and must not take the server with it.
    return { value: failed, cost: frame.cost, isHalted: false };
  }
}
