import { type ApiObject, causeFromFieldError, type FieldError } from '@binnacle/api-objects';
import {
  validateObject,
  validateObjectUpdate,
  withDefaultsOfNow,
  withoutInherited,
} from '@binnacle/api-types';
import { invalid } from '@binnacle/status-errors';
import { expressionErrors, type Findings } from './expression-errors.ts';
import type { Review } from './review.ts';

/**
 * Checks the new object by the rules of its kind, and what an update may change; throws Invalid with every finding, or rejects where
 * the check takes its time.
 */
export function assertValid(review: Review): void | Promise<void> {
  const { object } = review;
  if (object === undefined) return;
  const { oldObject } = review;
  const errors =
    oldObject === undefined ? creationErrors(review, object) : updateErrors(review, object, oldObject);
  if (!(errors instanceof Promise)) return assertNone(review, object, errors);
  return errors.then(found => assertNone(review, object, found));
}

function assertNone({ definition }: Review, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { group, kind, rules } = definition;
  throw invalid(
    { group: rules.findingsGroup ?? group, kind },
    object.metadata.name ?? '',
    errors.map(causeFromFieldError),
  );
}

function creationErrors(review: Review, object: ApiObject): Findings {
  const found = validateObject(review.definition, object);
  const broken = expressionErrors(review, found);
  return broken instanceof Promise ? broken.then(errors => [...found, ...errors]) : [...found, ...broken];
}

/** Checks an update. Rules that the stored object breaks too count only for what the update changes. */
function updateErrors(review: Review, object: ApiObject, stored: ApiObject): Findings {
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
  if (!(broken instanceof Promise) && broken.length === 0) return counted;
  return withNewlyBroken(review, { object, old, counted, broken });
}

interface BrokenUpdate {
  readonly object: ApiObject;
  readonly old: ApiObject;
  /** Findings that count. */
  readonly counted: readonly FieldError[];
  /** Those of validation rules. */
  readonly broken: Findings;
}

async function withNewlyBroken(
  review: Review,
  { object, old, counted, broken }: BrokenUpdate,
): Promise<FieldError[]> {
  const found = await broken;
  if (found.length === 0) return [...counted];
  // Rules about a change are inherited by an object that is being deleted alone: to stand still may break them.
  const before = object.metadata.deletionTimestamp === undefined ? undefined : old;
  const inherited = await expressionErrors({ ...review, object: old, oldObject: before }, []);
  const { definition } = review;
  return [...counted, ...withoutInherited(found, { definition, object, old, findOld: () => inherited })];
}
