import {
  type ApiObject,
  type FieldError,
  fieldPath,
  invalidField,
  type JsonValue,
} from '@binnacle/api-objects';
import { optionalSelectorErrors } from '../core/label-selector-validation.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject } from '../values/json-access.ts';
import { countOrShareErrors, nonNegativeErrors } from '../values/number-validation.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';

const spec$ = fieldPath('spec');
const requiredCounts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];
const statusCounts = [...requiredCounts, 'observedGeneration'];

/** The rules of PodDisruptionBudget objects; an update must name the version that it replaces. */
export const podDisruptionBudgetRules: KindRules = {
  generation: true,
  unconditionalUpdate: false,
  applyDefaults: object => writeRequiredCounts(object, requiredCounts),
  validate: budgetErrors,
  validateUpdate: (object, _old, subresource) =>
    subresource === 'status'
      ? nonNegativeErrors(asObject(object['status']) ?? {}, statusCounts, fieldPath('status'))
      : [],
  columns: [
    nameColumn,
    column('Min Available', 'How many pods must stay, or which share of them.'),
    column('Max Unavailable', 'How many pods may be missing, or which share of them.'),
    column('Allowed Disruptions', 'How many pods may be evicted now.', { type: 'integer' }),
    ageColumn,
  ],
  cells,
};

function budgetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const { minAvailable, maxUnavailable } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalidField(spec$, spec, 'minAvailable and maxUnavailable cannot be both set'));
  errors.push(
    ...countOrShareErrors(minAvailable, spec$.child('minAvailable'), 100),
    ...countOrShareErrors(maxUnavailable, spec$.child('maxUnavailable'), 100),
    ...optionalSelectorErrors(spec['selector'], spec$.child('selector')),
  );
  return errors;
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const { minAvailable, maxUnavailable } = specOf(object);
  return [
    nameOf(object),
    String(minAvailable ?? 'N/A'),
    String(maxUnavailable ?? 'N/A'),
    asNumber(asObject(object['status'])?.['disruptionsAllowed']),
    ageOf(object, now),
  ];
}
