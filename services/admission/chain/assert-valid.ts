import { type ApiObject, causeFromFieldError, type FieldError } from '@binnacle/api-objects';
import {
  validateObject,
  validateObjectUpdate,
  withDefaultsOfNow,
  withoutInherited,
} from '@binnacle/api-types';
import { invalid } from '@binnacle/status-errors';
import { expressionErrors } from './expression-errors.ts';
import type { Review } from './review.ts';

/** Checks the new object by the rules of its kind, and what an update may change; throws Invalid with every finding. */
export function assertValid(review: Review): void {
  const { definition, object, oldObject } = review;
  if (object === undefined) return;
  const errors =
    oldObject === undefined ? creationErrors(review, object) : updateErrors(review, object, oldObject);
  if (errors.length === 0) return;
  const { group, kind, rules } = definition;
  throw invalid(
    { group: rules.findingsGroup ?? group, kind },
    object.metadata.name ?? '',
    errors.map(causeFromFieldError),
  );
}

function creationErrors(review: Review, object: ApiObject): FieldError[] {
  const found = validateObject(review.definition, object);
  return [...found, ...expressionErrors(review, found)];
}

/** Checks an update. Rules that the stored object breaks too count only for what the update changes. */
function updateErrors(review: Review, object: ApiObject, stored: ApiObject): FieldError[] {
  const { definition, subresource } = review;
  const errorsFrom = (old: ApiObject): FieldError[] => {
    const findOld = () => validateObjectUpdate(definition, old, old, subresource);
    const found = validateObjectUpdate(definition, object, old, subresource);
    return withoutInherited(found, { definition, object, old, findOld });
  };
  let old = stored;
  let counted = errorsFrom(old);
  if (counted.length > 0) {
    old = withDefaultsOfNow(definition, stored);
    if (old !== stored) counted = errorsFrom(old);
  }
  const broken = expressionErrors(review, counted);
  // Rules about a change are inherited by an object that is being deleted alone: to stand still may break them.
  const before = object.metadata.deletionTimestamp === undefined ? undefined : old;
  const findOld = () => expressionErrors({ ...review, object: old, oldObject: before }, []);
  return [...counted, ...withoutInherited(broken, { definition, object, old, findOld })];
}
