import { CelError, costBudgets, type Value } from '@binnacle/cel';
import type { Policy, RefusalReason, Validation } from './policy.ts';

/** The refusal of a write by a policy. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
}

/** The remaining cost budget of a policy's expressions in one review. */
export interface PolicyBudget {
  left: number;
}

/** Creates the budget of one policy in one review. */
export function createPolicyBudget(): PolicyBudget {
  return { left: costBudgets.object };
}

/**
 * Evaluates the validations of a policy in order; returns the refusal of the first that does not hold, undefined when all hold. The
 * failure policy decides on one that fails or exceeds its budget. `values` are those of `policyVariables`, in their order.
 */
export function evaluateValidations(
  { validations, failurePolicy }: Pick<Policy, 'validations' | 'failurePolicy'>,
  values: readonly Value[],
  budget: PolicyBudget,
): Refusal | undefined {
  for (const validation of validations) {
    const outcome = evaluate(validation, values, budget);
    if (outcome === undefined) continue;
    if (outcome.kind === 'refused') return outcome.refusal;
    if (failurePolicy === 'Fail') return { reason: 'Invalid', message: outcome.why };
  }
  return undefined;
}

type Outcome =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly why: string };

/** Evaluates one validation; returns undefined when it holds. */
function evaluate(
  { text, expression, message, reason }: Validation,
  values: readonly Value[],
  budget: PolicyBudget,
): Outcome | undefined {
  const failed = (why: string): Outcome => ({
    kind: 'failed',
    why: `the expression ${JSON.stringify(text)} failed: ${why}`,
  });
  if (expression.program === undefined) return failed(expression.fault);
  if (budget.left <= 0) return failed(outOfBudget);
  const { value, cost, isHalted } = expression.program.evaluate(
    values,
    Math.min(costBudgets.call, budget.left),
  );
  budget.left -= cost;
  if (isHalted) return failed(budget.left <= 0 ? outOfBudget : tooDear);
  if (value instanceof CelError) return failed(value.message);
  if (value === true) return undefined;
  return {
    kind: 'refused',
    refusal: { reason, message: message === '' ? `failed expression: ${text}` : message },
  };
}

const outOfBudget = 'the expressions of the policy exceed their common cost budget';
const tooDear = 'it exceeds the cost budget of one expression';
