import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import type { Expression } from '../syntax/expression.ts';
import type { CheckedFacts } from '../types/declarations.ts';
import { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';

/** A compiled part of a program. */
export type Step = (frame: Frame) => Value;

/** The state that the parts of one program share while they are compiled. */
export interface Compilation {
  readonly facts: CheckedFacts | undefined;
  /** The slots of variables, by full name. */
  readonly variables: ReadonlyMap<string, number>;
  /** Where names are looked for first, from the inside out. */
  readonly container: string;
  /** Whether literals of constants are made beforehand and cost nothing. */
  readonly folds: boolean;
  /** A slot for the variable of a loop. */
  newSlot(): number;
}

/** The variables of the loops around an expression, innermost first. */
export interface Scope {
  readonly name: string;
  readonly slot: number;
  readonly outer: Scope | undefined;
}

/** An expression that cannot become a program; the message says what is wrong with it. */
export class CompilationError extends Error {
  override readonly name = 'CompilationError';
  readonly expression: Expression;

  constructor(message: string, expression: Expression) {
    super(message);
    this.expression = expression;
  }
}

/** The slot of a loop's variable, undefined where no loop around has it. */
export function slotInScope(scope: Scope | undefined, name: string): number | undefined {
  for (let at = scope; at !== undefined; at = at.outer) if (at.name === name) return at.slot;
  return undefined;
}

/** A step that yields the value of a slot, and charges for a name. */
export function slotStep(slot: number, name: string): Step {
  const unset = new CelError(`no such attribute: ${name}`);
  return frame => {
    frame.charge(figures.name);
    const value = frame.slots[slot];
    return value === undefined ? unset : value;
  };
}

/** Compiles a part of an expression; without a scope, in that of the whole. */
type CompilePart = (part: Expression, scope?: Scope) => Step;

/** The context of the compilers of single kinds of expressions. */
export interface Context {
  readonly scope: Scope | undefined;
  readonly compilation: Compilation;
  readonly compile: CompilePart;
}
