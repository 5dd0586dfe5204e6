import {
  type FieldError,
  fieldPath,
  invalidField,
  type JsonValue,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import { optionalSelectorErrors } from '../core/selectors/label-selector-validation.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../generated/policy/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { conditionsErrors } from '../values/condition-validation.ts';
import { countOrShareErrors, nonNegativeErrors } from '../values/number-validation.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';

const spec$ = fieldPath('spec');
const requiredCounts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

/** The rules of PodDisruptionBudget objects; an update must contain the resourceVersion. */
export const podDisruptionBudgetRules: KindRules<PodDisruptionBudget> = {
  generation: true,
  nameRule: validatePathSegmentName,
  unconditionalUpdate: false,
  gatedFields: [{ gate: 'PDBUnhealthyPodEvictionPolicy', paths: ['spec.unhealthyPodEvictionPolicy'] }],
  applyDefaults: object => writeRequiredCounts(object, requiredCounts),
  validate: budgetErrors,
  validateUpdate: (object, _old, subresource) =>
    subresource === 'status' ? statusErrors(object.status ?? {}) : [],
  columns: [
    nameColumn,
    column('Min Available', 'How many pods must stay, or which share of them.'),
    column('Max Unavailable', 'How many pods may be missing, or which share of them.'),
    column('Allowed Disruptions', 'How many pods may be evicted now.', { type: 'integer' }),
    ageColumn,
  ],
  cells,
};

function budgetErrors(object: PodDisruptionBudget): FieldError[] {
  const spec = object.spec ?? {};
  const { minAvailable, maxUnavailable } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalidField(spec$, spec, 'minAvailable and maxUnavailable cannot be both set'));
  errors.push(
    ...countOrShareErrors(minAvailable, spec$.child('minAvailable'), 100),
    ...countOrShareErrors(maxUnavailable, spec$.child('maxUnavailable'), 100),
    ...optionalSelectorErrors(spec.selector, spec$.child('selector')),
  );
  return errors;
}

function statusErrors(status: PodDisruptionBudgetStatus): FieldError[] {
  return [
    ...conditionsErrors(status.conditions ?? []),
    ...nonNegativeErrors(status, requiredCounts, fieldPath('status')),
  ];
}

function cells(object: PodDisruptionBudget, now: number): JsonValue[] {
  const { minAvailable, maxUnavailable } = object.spec ?? {};
  return [
    nameCell(object),
    String(minAvailable ?? 'N/A'),
    String(maxUnavailable ?? 'N/A'),
    object.status?.disruptionsAllowed ?? 0,
    ageCell(object, now),
  ];
}
