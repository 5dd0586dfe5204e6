import {
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type NameRule,
  requiredField,
  setOwnProperty,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabels,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { LocalObjectReference, Pod, PodSpec } from '../../generated/core/v1.ts';
import { isRepeated } from '../../values/repeated-values.ts';
import { computeAmountErrors } from '../resource-amounts/resource-amount-validation.ts';
import { affinityErrors } from './affinity-validation.ts';
import { containersErrors } from './containers/container-validation.ts';
import { podSecurityContextErrors } from './containers/security-context-validation.ts';
import { nameResolutionErrors } from './name-resolution-validation.ts';
import { operatingSystemErrors } from './operating-system-validation.ts';
import { tolerationErrors } from './toleration-validation.ts';
import { topologySpreadErrors } from './topology-spread-validation.ts';
import { volumeErrors } from './volumes/volume-validation.ts';

const longestDeadline = 2_147_483_647;

/** The findings about a pod; closed sets of values are checked elsewhere. */
export function podErrors(object: Pod): FieldError[] {
  return podSpecErrors(object.spec ?? {}, fieldPath('spec'));
}

/** The findings about what only a running pod can be given. */
export function podCreateErrors(object: Pod): FieldError[] {
  const spec = object.spec ?? {};
  const errors: FieldError[] = [];
  if ((spec.ephemeralContainers ?? []).length > 0)
    errors.push(forbiddenField(fieldPath('spec', 'ephemeralContainers'), 'cannot be set on create'));
  if ((spec.nodeName ?? '') !== '' && (spec.schedulingGates ?? []).length > 0)
    errors.push(
      forbiddenField(
        fieldPath('spec', 'nodeName'),
        'cannot be set until all schedulingGates have been cleared',
      ),
    );
  return errors;
}

/** The findings about a pod's spec, also within a template; `furtherClaims` are volumes that are added later. */
export function podSpecErrors(
  spec: PodSpec,
  path: FieldPath,
  furtherClaims: readonly string[] = [],
): FieldError[] {
  return [
    ...volumeErrors(spec.volumes ?? [], path.child('volumes')),
    ...containersErrors(spec, path, furtherClaims),
    ...nameErrors(spec, path),
    ...secondsErrors(spec, path),
    ...validateLabels(textMap(spec.nodeSelector), path.child('nodeSelector')),
    ...pullSecretErrors(spec.imagePullSecrets ?? [], path.child('imagePullSecrets')),
    ...(spec.tolerations ?? []).flatMap((toleration, index) =>
      tolerationErrors(toleration, path.child('tolerations').index(index)),
    ),
    ...nameResolutionErrors(spec, path),
    ...placementErrors(spec, path),
    ...podSecurityContextErrors(spec, path.child('securityContext')),
    ...operatingSystemErrors(spec, path),
    ...computeAmountErrors(spec.overhead ?? {}, path.child('overhead')),
    ...gateErrors(spec, path),
  ];
}

/** The entries of a map of texts. */
export function textMap(value: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(value ?? {})) setOwnProperty(texts, key, text ?? '');
  return texts;
}

const namedFields = [
  ['serviceAccountName', validateDnsSubdomain],
  ['nodeName', validateDnsSubdomain],
  ['hostname', validateDnsLabel],
  ['subdomain', validateDnsLabel],
  ['schedulerName', validateQualifiedName],
  ['priorityClassName', validateDnsSubdomain],
  ['runtimeClassName', validateDnsSubdomain],
] as const satisfies readonly (readonly [field: keyof PodSpec, rule: NameRule])[];

function nameErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return namedFields.flatMap(([field, rule]) => {
    const value = spec[field] ?? '';
    return value === '' ? [] : rule(value).map(message => invalidField(path.child(field), value, message));
  });
}

function secondsErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const deadline = spec.activeDeadlineSeconds;
  if (typeof deadline === 'number' && (deadline < 1 || deadline > longestDeadline))
    errors.push(
      invalidField(
        path.child('activeDeadlineSeconds'),
        deadline,
        `must be between 1 and ${longestDeadline}, inclusive`,
      ),
    );
  const grace = spec.terminationGracePeriodSeconds;
  if (typeof grace === 'number' && grace < 0)
    errors.push(
      invalidField(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than or equal to 0'),
    );
  return errors;
}

function pullSecretErrors(secrets: readonly LocalObjectReference[], path: FieldPath): FieldError[] {
  const names = secrets.map(secret => secret.name ?? '');
  return names.flatMap((name, index) => {
    const at = path.index(index);
    if (name === '') return [requiredField(at.child('name'))];
    return isRepeated(names, index) ? [duplicateField(at, name)] : [];
  });
}

/** Where the pod is placed, relative to nodes and to other pods. */
function placementErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...affinityErrors(spec.affinity ?? {}, path.child('affinity')),
    ...topologySpreadErrors(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints')),
  ];
}

/** What must hold before the pod is placed, and before it counts as ready. */
function gateErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  const names = (spec.schedulingGates ?? []).map(gate => gate.name ?? '');
  return [
    ...(spec.readinessGates ?? []).flatMap((gate, index) => {
      const type = gate.conditionType ?? '';
      const at = path.child('readinessGates').index(index).child('conditionType');
      return validateQualifiedName(type).map(message => invalidField(at, type, message));
    }),
    ...names.flatMap((name, index) => {
      const at = path.child('schedulingGates').index(index);
      if (isRepeated(names, index)) return [duplicateField(at, name)];
      return validateQualifiedName(name).map(message => invalidField(at.child('name'), name, message));
    }),
  ];
}
