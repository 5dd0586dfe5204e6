import { groups } from '@binnacle/api-names';
import {
  type ApiObject,
  causeFromFieldError,
  type FieldError,
  type FieldErrorType,
  invalidField,
  type JsonObject,
} from '@binnacle/api-objects';
import {
  definitionSchemas,
  validateObject,
  validateObjectUpdate,
  withDefaultsOfNow,
  withoutInherited,
} from '@binnacle/api-types';
import { compileSchemaRules, definitionRuleErrors } from '@binnacle/cel';
import { runInSlices } from '@binnacle/event-loop';
import { invalid } from '@binnacle/status-errors';
import { policyExpressionErrors } from '../expressions/policy-expressions.ts';
import { isAbout, type Review } from './review.ts';

/**
 * Checks the new object against the rules of its kind, and an update against what it may change. Throws Invalid with every
 * finding, or returns a promise that rejects with it where the check is long.
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

/** Checks an update. A rule that the stored object breaks as well counts only for what the update changes. */
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
  /** Findings of validation rules. */
  readonly broken: Findings;
}

async function withNewlyBroken(
  review: Review,
  { object, old, counted, broken }: BrokenUpdate,
): Promise<FieldError[]> {
  const found = await broken;
  if (found.length === 0) return [...counted];
  // Findings of rules about a change are inherited only where the object is being deleted: an unchanged object may break them.
  const before = object.metadata.deletionTimestamp === undefined ? undefined : old;
  const inherited = await expressionErrors({ ...review, object: old, oldObject: before }, []);
  const { definition } = review;
  return [...counted, ...withoutInherited(found, { definition, object, old, findOld: () => inherited })];
}

/** Findings after which values may have other types than rules expect, or be so large that rules would cost too much. */
const blocking: ReadonlySet<FieldErrorType> = new Set(['Required', 'TooLong', 'TooMany', 'TypeInvalid']);
const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Findings, or a promise of them where the check is long. */
type Findings = FieldError[] | Promise<FieldError[]>;

/**
 * The findings of validation rules about an object, or about the rules of a definition or a policy (spec 2, "Expression language").
 * Rules run only on objects of the form that they expect: where one of `others` contradicts it, no rule runs, and a finding
 * says so. Expensive rules are evaluated in slices.
 */
function expressionErrors(review: Review, others: readonly FieldError[]): Findings {
  const { definition, object, oldObject } = review;
  if (object === undefined) return [];
  if (isAbout(review, groups.apiextensions, 'customresourcedefinitions')) {
    if (others.length > 0) return [];
    return definitionSchemas(object).flatMap(({ schema, path }) => definitionRuleErrors(schema, path));
  }
  if (isAbout(review, groups.admissionregistration, 'validatingadmissionpolicies'))
    return policyExpressionErrors(object);
  const { structure } = definition.message;
  const rules = structure && compileSchemaRules(structure.schema);
  if (rules === undefined) return [];
  if (others.some(({ type }) => blocking.has(type))) return [invalidField('<nil>', null, notChecked)];
  const found = rules.begin(object as JsonObject, oldObject as JsonObject | undefined);
  return Array.isArray(found) ? found : runInSlices(found);
}
