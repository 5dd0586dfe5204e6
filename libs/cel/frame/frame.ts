import type { Value } from '../values/value.ts';

/** The state of a running program: variables by slot, cost and budget. */
export class Frame {
  readonly slots: (Value | undefined)[];
  readonly budget: number;
  cost = 0;
  /** Number of uncharged steps, which are limited separately. */
  steps = 0;
  readonly maxSteps: number;

  constructor(slots: (Value | undefined)[], budget: number) {
    this.slots = slots;
    this.budget = budget;
    this.maxSteps = uncharged(budget);
  }

  /** Charges the cost of a step before it runs. Throws `costExceeded` if it exceeds the remaining budget. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.budget) throw costExceeded;
  }

  /**
   * Counts elements that a step traverses without charging for them: a comparison costs 1, regardless of the size of its
   * operands. Halts the program when the count far exceeds the budget.
   */
  traverse(elements: number): void {
    this.steps += elements;
    if (this.steps > this.maxSteps) throw costExceeded;
  }
}

/** Thrown when the budget of a program is exceeded; the only exception of a running program. */
export const costExceeded: Error = new Error('the cost of the expression exceeds its budget');

function uncharged(budget: number): number {
  return 5 * budget + 10_000;
}
