import { CelError, costBudgets, type Value } from '@binnacle/cel';
import type { Policy, RefusalReason, Validation } from './policy.ts';

/** Why a policy refuses a write. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
}

/** The budget that is left for the expressions of a policy in one review, in the unit of their cost. */
export interface PolicyBudget {
  left: number;
}

/** The budget of one policy in one review. */
export function createPolicyBudget(): PolicyBudget {
  return { left: costBudgets.object };
}

/**
 * Evaluates the validations of a policy in their order; the refusal of the first that does not hold, undefined when all
 * do. One that cannot be evaluated, or not within its budget, is for the failure policy to judge. Values are those of
 * the variables of policies, in their order.
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

/** Undefined when the validation holds. */
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
