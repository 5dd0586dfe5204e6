import { causeFromFieldError } from '@binnacle/api-objects';
import { validateObject, validateObjectUpdate } from '@binnacle/api-types';
import { invalid } from '@binnacle/status-errors';
import type { Review } from './review.ts';

/** Checks the new object by the rules of its kind, and what an update may change; throws Invalid with every finding. */
export function assertValid({ definition, object, oldObject, subresource }: Review): void {
  if (object === undefined) return;
  const errors =
    oldObject === undefined
      ? validateObject(definition, object)
      : validateObjectUpdate(definition, object, oldObject, subresource);
  if (errors.length === 0) return;
  const { group, kind, rules } = definition;
  throw invalid(
    { group: rules.findingsGroup ?? group, kind },
    object.metadata.name ?? '',
    errors.map(causeFromFieldError),
  );
}
