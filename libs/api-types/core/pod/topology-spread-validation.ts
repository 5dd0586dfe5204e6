import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  notSupportedField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { TopologySpreadConstraint } from '../../generated/core/v1.ts';
import { optionalSelectorErrors } from '../selectors/label-selector-validation.ts';
import { topologyKeyErrors } from './affinity-validation.ts';

/** The findings about how evenly pods are to be spread. */
export function topologySpreadErrors(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return constraints.flatMap((constraint, index) => {
    const at = path.index(index);
    const errors = constraintErrors(constraint, at);
    const identity = `{${constraint.topologyKey ?? ''}, ${constraint.whenUnsatisfiable ?? ''}}`;
    if (seen.has(identity))
      errors.push(duplicateField(at.child('{topologyKey, whenUnsatisfiable}'), identity));
    seen.add(identity);
    return errors;
  });
}

function constraintErrors(constraint: TopologySpreadConstraint, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const skew = constraint.maxSkew ?? 0;
  if (skew <= 0) errors.push(invalidField(path.child('maxSkew'), skew, 'must be greater than zero'));
  errors.push(...topologyKeyErrors(constraint, path));
  const action = constraint.whenUnsatisfiable ?? '';
  if (action === '')
    errors.push(
      notSupportedField(path.child('whenUnsatisfiable'), action, ['DoNotSchedule', 'ScheduleAnyway']),
    );
  const domains = constraint.minDomains;
  const domains$ = path.child('minDomains');
  if (typeof domains === 'number' && domains <= 0)
    errors.push(invalidField(domains$, domains, 'must be greater than zero'));
  if (typeof domains === 'number' && action !== 'DoNotSchedule')
    errors.push(
      invalidField(domains$, domains, `can only be used if whenUnsatisfiable=DoNotSchedule, not ${action}`),
    );
  const keys = constraint.matchLabelKeys ?? [];
  return [
    ...errors,
    ...optionalSelectorErrors(constraint.labelSelector, path.child('labelSelector')),
    ...keys.flatMap((key, index) =>
      validateQualifiedName(key).map(message =>
        invalidField(path.child('matchLabelKeys').index(index), key, message),
      ),
    ),
  ];
}
