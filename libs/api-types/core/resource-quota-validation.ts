import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { asList, asObject, asObjects, asText, asTexts } from '../values/json-access.ts';
import { specOf } from './service-facts.ts';
import { quotaResourceNameErrors, resourceAmountErrors } from './standard-resources.ts';

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

/** The findings about a quota: amounts of known resources, scopes that fit them and each other. */
export function resourceQuotaErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...amountsErrors(spec['hard'], spec$.child('hard')),
    ...scopesErrors(spec),
    ...scopeSelectorErrors(spec),
    ...statusErrors(object),
  ];
}

/** The findings about an update of a quota, or of its status. */
export function resourceQuotaUpdateErrors(
  object: ApiObject,
  old: ApiObject,
  subresource: string,
): FieldError[] {
  if (subresource === 'status') return statusErrors(object);
  if (scopesText(object) === scopesText(old)) return [];
  return [invalidField(spec$.child('scopes'), specOf(object)['scopes'] ?? null, 'field is immutable')];
}

/** Equal for quotas with the same scopes, in whatever order. */
function scopesText(object: ApiObject): string {
  return [...new Set(asTexts(specOf(object)['scopes']))].sort().join();
}

function statusErrors(object: ApiObject): FieldError[] {
  const status = asObject(object['status']) ?? {};
  return ['hard', 'used'].flatMap(field => amountsErrors(status[field], fieldPath('status', field)));
}

function amountsErrors(amounts: unknown, path: FieldPath): FieldError[] {
  return Object.entries(asObject(amounts) ?? {}).flatMap(([name, value]) => [
    ...quotaResourceNameErrors(name, path.key(name)),
    ...resourceAmountErrors(name, value, path.key(name)),
  ]);
}

function scopesErrors(spec: JsonObject): FieldError[] {
  const path = spec$.child('scopes');
  const named = asTexts(spec['scopes']);
  return [
    ...named.flatMap(scope => applicabilityErrors(scope, spec, { path, value: named })),
    ...conflictErrors(named, { path, value: named }),
  ];
}

interface Finding {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** Scopes choose pods, so a quota with one limits what pods use. */
function applicabilityErrors(scope: string, spec: JsonObject, { path, value }: Finding): FieldError[] {
  if (!scopes.includes(scope)) return [];
  const unfit = Object.keys(asObject(spec['hard']) ?? {}).filter(name =>
    scope === 'BestEffort' ? podResources.has(name) && name !== 'pods' : isUnfitFor(name),
  );
  return unfit.map(() => invalidField(path, value, 'unsupported scope applied to resource'));
}

function isUnfitFor(name: string): boolean {
  return !podResources.has(name);
}

function conflictErrors(named: readonly string[], { path, value }: Finding): FieldError[] {
  return opposites
    .filter(pair => pair.every(scope => named.includes(scope)))
    .map(() => invalidField(path, value, 'conflicting scopes'));
}

function scopeSelectorErrors(spec: JsonObject): FieldError[] {
  const path = spec$.child('scopeSelector', 'matchExpressions');
  const requirements = asObjects(asObject(spec['scopeSelector'])?.['matchExpressions']);
  const named = requirements.map(requirement => asText(requirement['scopeName']));
  return [
    ...requirements.flatMap((requirement, index) => requirementErrors(requirement, spec, path.index(index))),
    ...conflictErrors(named, { path, value: requirements }),
  ];
}

function requirementErrors(requirement: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const scope = asText(requirement['scopeName']);
  const operator = asText(requirement['operator']);
  const at = path.child('scopeName');
  return [
    ...(scope === '' ? [invalidField(at, '', 'unsupported scope')] : []),
    ...applicabilityErrors(scope, spec, { path: at, value: scope }),
    ...(scopes.includes(scope) && scope !== 'PriorityClass' && operator !== 'Exists'
      ? [
          invalidField(
            path.child('operator'),
            operator,
            `must be 'Exists' when scope is any of ${scopes.filter(name => name !== 'PriorityClass').join(', ')}`,
          ),
        ]
      : []),
    ...valueErrors(requirement, operator, path),
  ];
}

function valueErrors(requirement: JsonObject, operator: string, path: FieldPath): FieldError[] {
  const values = asList(requirement['values']);
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
    case '':
      return [invalidField(path.child('operator'), '', 'not a valid selector operator')];
    default:
      return [];
  }
}
