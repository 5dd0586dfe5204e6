import { figures } from '../cost/figures.ts';
import type { Frame } from '../frame/frame.ts';
import type { Expression } from '../syntax/expression.ts';
import type { CheckedFacts } from '../types/declarations.ts';
import { CelError } from '../values/cel-error.ts';
import type { Value } from '../values/value.ts';

/** A compiled part of a program. */
export type Step = (frame: Frame) => Value;

/** Shared state of compiling one program. */
export interface Compilation {
  readonly facts: CheckedFacts | undefined;
  /** The slots of the program's variables, by full name. */
  readonly variables: ReadonlyMap<string, number>;
  /** The container in which names are looked up first, from the innermost part outwards. */
  readonly container: string;
  /** Whether constant literals are created at compile time and cost nothing. */
  readonly folds: boolean;
  /** Allocates a slot for a loop variable. */
  newSlot(): number;
}

/** The variables of the enclosing loops, innermost first. */
export interface Scope {
  readonly name: string;
  readonly slot: number;
  readonly outer: Scope | undefined;
}

/** Error for an expression that cannot be compiled; the message says why. */
export class CompilationError extends Error {
  override readonly name = 'CompilationError';
  readonly expression: Expression;

  constructor(message: string, expression: Expression) {
    super(message);
    this.expression = expression;
  }
}

/** Finds the slot of a loop variable; undefined if no enclosing loop declares it. */
export function slotInScope(scope: Scope | undefined, name: string): number | undefined {
  for (let at = scope; at !== undefined; at = at.outer) if (at.name === name) return at.slot;
  return undefined;
}

/** Creates a step that reads a slot and charges for a name. */
export function slotStep(slot: number, name: string): Step {
  const unset = new CelError(`no such attribute: ${name}`);
  return frame => {
    frame.charge(figures.name);
    const value = frame.slots[slot];
    return value === undefined ? unset : value;
  };
}

/** Compiles a part of an expression; default: in the scope of the whole expression. */
type CompilePart = (part: Expression, scope?: Scope) => Step;

/** The context in which one kind of expression is compiled. */
export interface Context {
  readonly scope: Scope | undefined;
  readonly compilation: Compilation;
  readonly compile: CompilePart;
}
