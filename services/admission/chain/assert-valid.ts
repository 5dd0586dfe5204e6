import { causeFromFieldError } from '@binnacle/api-objects';
import { validateObject, validateObjectUpdate } from '@binnacle/api-types';
import { invalid } from '@binnacle/status-errors';
import { expressionErrors } from './expression-errors.ts';
import type { Review } from './review.ts';

/** Checks the new object by the rules of its kind, and what an update may change; throws Invalid with every finding. */
export function assertValid(review: Review): void {
  const { definition, object, oldObject, subresource } = review;
  if (object === undefined) return;
  const found =
    oldObject === undefined
      ? validateObject(definition, object)
      : validateObjectUpdate(definition, object, oldObject, subresource);
  const errors = [...found, ...expressionErrors(review, found)];
  if (errors.length === 0) return;
  const { group, kind, rules } = definition;
  throw invalid(
    { group: rules.findingsGroup ?? group, kind },
    object.metadata.name ?? '',
    errors.map(causeFromFieldError),
  );
}
