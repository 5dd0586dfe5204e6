import { groups } from '@binnacle/api-names';
import { type FieldError, type FieldErrorType, invalidField, type JsonObject } from '@binnacle/api-objects';
import { definitionSchemas } from '@binnacle/api-types';
import { definitionRuleErrors, schemaRulesOf } from '@binnacle/cel';
import { runInSlices } from '@binnacle/event-loop';
import { policyExpressionErrors } from '../expressions/policy-expressions.ts';
import { isAbout, type Review } from './review.ts';

/** Findings after which values may not be what rules take them for, or so large that rules would cost too much. */
const blocking: ReadonlySet<FieldErrorType> = new Set(['Required', 'TooLong', 'TooMany', 'TypeInvalid']);
const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Findings, or where it takes longer to find them, a promise of them. */
export type Findings = FieldError[] | Promise<FieldError[]>;

/**
 * The findings of validation rules about an object, or about the rules of a definition or a policy (spec 2, "Expression language").
 * Rules see only objects of the form that they count on: where one of the `others` says that it is not so, none is run,
 * which is told. Rules that cost much are evaluated in slices.
 */
export function expressionErrors(review: Review, others: readonly FieldError[]): Findings {
  const { definition, object, oldObject } = review;
  if (object === undefined) return [];
  if (isAbout(review, groups.apiextensions, 'customresourcedefinitions')) {
    if (others.length > 0) return [];
    return definitionSchemas(object).flatMap(({ schema, path }) => definitionRuleErrors(schema, path));
  }
  if (isAbout(review, groups.admissionregistration, 'validatingadmissionpolicies'))
    return policyExpressionErrors(object);
  const { structure } = definition.message;
  const rules = structure && schemaRulesOf(structure.schema);
  if (rules === undefined) return [];
  if (others.some(({ type }) => blocking.has(type))) return [invalidField('<nil>', null, notChecked)];
  const found = rules.begin(object as JsonObject, oldObject as JsonObject | undefined);
  return Array.isArray(found) ? found : runInSlices(found);
}
