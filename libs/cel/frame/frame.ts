import type { Value } from '../values/value.ts';

/** The state of a running program: its variables by slot, its cost, and its budget. */
export class Frame {
  readonly slots: (Value | undefined)[];
  readonly budget: number;
  cost = 0;
  /** Steps that were taken uncharged; they have a limit. */
  steps = 0;
  readonly maxSteps: number;

  constructor(slots: (Value | undefined)[], budget: number) {
    this.slots = slots;
    this.budget = budget;
    this.maxSteps = uncharged(budget);
  }

  /** Counts what a step costs, before it is done. Throws `costExceeded` when that is more than there is left. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.budget) throw costExceeded;
  }

  /**
   * Counts elements that a step goes through though its cost does not tell of them: a comparison costs 1, however much it
   * compares. Costs nothing, but far beyond the budget it halts the program as the budget does.
   */
  traverse(elements: number): void {
    this.steps += elements;
    if (this.steps > this.maxSteps) throw costExceeded;
  }
}

/** Thrown out of a program whose budget is used up; the only exception that the parts of a program throw. */
export const costExceeded: Error = new Error('the cost of the expression exceeds its budget');

function uncharged(budget: number): number {
  return 5 * budget + 10_000;
}
