import {
  duplicateField,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { TopologySpreadConstraint } from '../../generated/core/v1.ts';
import { optionalSelectorErrors } from '../selectors/label-selector-validation.ts';

/** Validates topology spread constraints. */
export function topologySpreadErrors(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
): FieldError[] {
  const identities = constraints.map(
    ({ topologyKey = '', whenUnsatisfiable = '' }) => `{${topologyKey}, ${whenUnsatisfiable}}`,
  );
  const last = new Map(identities.map((identity, index) => [identity, index]));
  return constraints.flatMap((constraint, index) => {
    const at = path.index(index);
    const identity = identities[index] ?? '';
    return [
      ...constraintErrors(constraint, at),
      // kube-apiserver reports each constraint that is repeated later.
      ...(last.get(identity) === index
        ? []
        : [duplicateField(at.child('{topologyKey, whenUnsatisfiable}'), identity)]),
    ];
  });
}

function constraintErrors(constraint: TopologySpreadConstraint, path: FieldPath): FieldError[] {
  const { maxSkew = 0, topologyKey = '', labelSelector } = constraint;
  const action: string = constraint.whenUnsatisfiable ?? '';
  return [
    ...(maxSkew <= 0 ? [invalidField(path.child('maxSkew'), maxSkew, 'must be greater than zero')] : []),
    ...(topologyKey === '' ? [requiredField(path.child('topologyKey'), 'can not be empty')] : []),
    ...(action === ''
      ? [notSupportedField(path.child('whenUnsatisfiable'), action, ['DoNotSchedule', 'ScheduleAnyway'])]
      : []),
    ...domainErrors(constraint.minDomains, action, path.child('minDomains')),
    ...matchLabelKeyErrors(constraint, path.child('matchLabelKeys')),
    ...optionalSelectorErrors(labelSelector, path.child('labelSelector')),
  ];
}

function domainErrors(domains: number | undefined, action: string, path: FieldPath): FieldError[] {
  if (domains === undefined) return [];
  return [
    ...(domains <= 0 ? [invalidField(path, domains, 'must be greater than zero')] : []),
    ...(action === 'DoNotSchedule'
      ? []
      : [
          invalidField(
            path,
            domains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
          ),
        ]),
  ];
}

function matchLabelKeyErrors(
  { matchLabelKeys: keys = [], labelSelector }: TopologySpreadConstraint,
  path: FieldPath,
): FieldError[] {
  if (keys.length === 0) return [];
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key = '' }) => key),
  ]);
  return [
    ...(labelSelector ? [] : [forbiddenField(path, 'must not be specified when labelSelector is not set')]),
    ...keys.flatMap((key, index) => [
      ...validateQualifiedName(key).map(message => invalidField(path.index(index), key, message)),
      ...(selected.has(key)
        ? [invalidField(path.index(index), key, 'exists in both matchLabelKeys and labelSelector')]
        : []),
    ]),
  ];
}
