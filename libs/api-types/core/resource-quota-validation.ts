import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ScopedResourceSelectorRequirement,
} from '../generated/core/v1.ts';
import { isRepeated } from '../values/repeated-values.ts';
import {
  isQuotaResource,
  quotaResourceNameErrors,
  resourceAmountErrors,
} from './resource-amounts/standard-resources.ts';

const spec$ = fieldPath('spec');
const scopes = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
];
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
const podResources = new Set([
  'pods',
  ...['cpu', 'memory'].flatMap(name => [name, `requests.${name}`, `limits.${name}`]),
]);

/** Validates a quota: amounts of known resources, and scopes that are applicable and consistent. */
export function resourceQuotaErrors({ spec = {}, status = {} }: ResourceQuota): FieldError[] {
  return [
    ...amountsErrors(spec.hard, spec$.child('hard')),
    ...scopesErrors(spec),
    ...scopeSelectorErrors(spec),
    ...statusErrors(status),
  ];
}

/** Validates an update of a quota or its status. */
export function resourceQuotaUpdateErrors(
  object: ResourceQuota,
  old: ResourceQuota,
  subresource: string,
): FieldError[] {
  if (subresource === 'status') return statusErrors(object.status ?? {});
  if (scopesText(object.spec) === scopesText(old.spec)) return [];
  return [invalidField(spec$.child('scopes'), object.spec?.scopes ?? null, 'field is immutable')];
}

/** Returns equal texts for quotas with the same scopes in any order. */
function scopesText(spec: ResourceQuotaSpec | undefined): string {
  return [...new Set(spec?.scopes)].sort().join();
}

function statusErrors(status: ResourceQuotaStatus): FieldError[] {
  return (['hard', 'used'] as const).flatMap(field =>
    amountsErrors(status[field], fieldPath('status', field)),
  );
}

function amountsErrors(amounts: ResourceQuotaSpec['hard'], path: FieldPath): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, value]) => [
    ...quotaResourceNameErrors(name, path.key(name)),
    ...resourceAmountErrors(name, value, path.key(name)),
  ]);
}

function scopesErrors(spec: ResourceQuotaSpec): FieldError[] {
  const path = spec$.child('scopes');
  const named = spec.scopes ?? [];
  return [
    ...[...new Set<string>(named)].flatMap(scope => [
      ...(scopes.includes(scope) ? [] : [invalidField(path, named, 'unsupported scope')]),
      ...applicabilityErrors(scope, spec, { path, value: named }),
    ]),
    ...conflictErrors(named, { path, value: named }),
  ];
}

interface Finding {
  readonly path: FieldPath;
  readonly value: unknown;
}

/**
 * Scopes select pods: with a scope only standard resources of pods are allowed, with BestEffort only the number of pods. Object
 * counts, extended resources and storage classes are allowed with every scope.
 */
function applicabilityErrors(scope: string, spec: ResourceQuotaSpec, { path, value }: Finding): FieldError[] {
  if (!scopes.includes(scope)) return [];
  const isApplicable = (name: string) =>
    !isQuotaResource(name) || (scope === 'BestEffort' ? name === 'pods' : podResources.has(name));
  // The error does not name the resource: one error represents all.
  return Object.keys(spec.hard ?? {}).every(isApplicable)
    ? []
    : [invalidField(path, value, 'unsupported scope applied to resource')];
}

function conflictErrors(named: readonly string[], { path, value }: Finding): FieldError[] {
  return opposites
    .filter(pair => pair.every(scope => named.includes(scope)))
    .map(() => invalidField(path, value, 'conflicting scopes'));
}

/** kube-apiserver reports each requirement at the path of the list, without an index. */
function scopeSelectorErrors(spec: ResourceQuotaSpec): FieldError[] {
  const path = spec$.child('scopeSelector', 'matchExpressions');
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  const named = requirements.map(requirement => requirement.scopeName ?? '');
  return [
    ...requirements.flatMap((requirement, index) => [
      ...scopeNameErrors(named[index] ?? '', path.child('scopeName')),
      ...(isRepeated(named, index)
        ? []
        : applicabilityErrors(named[index] ?? '', spec, { path, value: spec.scopeSelector })),
      ...operatorErrors(requirement, path),
    ]),
    ...conflictErrors(named, { path, value: spec.scopes ?? null }),
  ];
}

function scopeNameErrors(scope: string, path: FieldPath): FieldError[] {
  return scopes.includes(scope) ? [] : [invalidField(path, scope, 'unsupported scope')];
}

function operatorErrors(requirement: ScopedResourceSelectorRequirement, path: FieldPath): FieldError[] {
  const scope: string = requirement.scopeName ?? '';
  const { operator = '' } = requirement;
  return [
    ...(scopes.includes(scope) && scope !== 'PriorityClass' && operator !== 'Exists'
      ? [
          invalidField(
            path.child('operator'),
            operator,
            `must be 'Exists' when scope is any of ${scopes.filter(name => name !== 'PriorityClass').join(', ')}`,
          ),
        ]
      : []),
    ...valueErrors(operator, requirement.values ?? [], path),
  ];
}

function valueErrors(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [
            requiredField(
              path.child('values'),
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [
            invalidField(
              path.child('values'),
              values,
              "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [invalidField(path.child('operator'), operator, 'not a valid selector operator')];
  }
}
