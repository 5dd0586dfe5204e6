import { forbidden, StatusError } from '@binnacle/status-errors';
import { nameOf, type Review } from '../../chain/review.ts';
import type { Refusal } from './evaluate-validations.ts';
import type { RefusalReason } from './policy.ts';

const codes: Readonly<Record<RefusalReason, number>> = {
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
};

/** Which policy refuses; without a binding when it did not come to one. */
interface Refusing {
  readonly policy: string;
  readonly binding?: string | undefined;
}

/** The error of a write that a policy refuses: it reads as one that is forbidden, with the policy's reason and its code. */
export function policyDenial(
  review: Review,
  { policy, binding }: Refusing,
  { reason, message }: Refusal,
): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const why = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const { message: whole, details } = forbidden(review.definition, nameOf(review), why);
  return new StatusError({
    reason,
    code: codes[reason],
    message: whole,
    details: { ...details, causes: [{ message: why }] },
  });
}
