import {
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type NameRule,
  setOwnProperty,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabels,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { Pod, PodSpec } from '../../generated/core/v1.ts';
import { isRepeated } from '../../values/repeated-values.ts';
import { overheadErrors } from '../resource-amounts/resource-amount-validation.ts';
import { affinityErrors } from './affinity-validation.ts';
import { containersErrors, podContainersErrors } from './containers/container-validation.ts';
import { podSecurityContextErrors } from './containers/security-context-validation.ts';
import { nameResolutionErrors } from './name-resolution-validation.ts';
import { operatingSystemErrors } from './operating-system-validation.ts';
import { podAnnotationErrors } from './pod-annotations.ts';
import { seccompConflicts } from './seccomp-annotations.ts';
import { tolerationErrors } from './toleration-validation.ts';
import { topologySpreadErrors } from './topology-spread-validation.ts';
import { volumeErrors } from './volumes/volume-validation.ts';

const longestDeadline = 2_147_483_647;

/** Validates a pod; closed sets of values are validated elsewhere. */
export function podErrors({ metadata, spec = {} }: Pod): FieldError[] {
  const spec$ = fieldPath('spec');
  return [
    ...podAnnotationErrors(metadata.annotations ?? {}, spec, fieldPath('metadata', 'annotations')),
    ...podSpecErrors(spec, spec$),
    ...podContainersErrors(spec, spec$),
    ...accountTokenErrors(spec, spec$.child('volumes')),
  ];
}

/** A service account token requires a service account. */
function accountTokenErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  if ((spec.serviceAccountName ?? '') !== '') return [];
  return (spec.volumes ?? []).flatMap((volume, index) =>
    (volume.projected?.sources ?? []).flatMap((source, position) => {
      if (!source.serviceAccountToken) return [];
      const at = path.index(index).child('projected', 'sources').index(position);
      return [
        forbiddenField(
          at.child('serviceAccountToken'),
          'must not be specified when serviceAccountName is not set',
        ),
      ];
    }),
  );
}

/** Validates rules that only apply to new pods: no ephemeral containers, and no annotations that contradict fields. */
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
  errors.push(...seccompConflicts(object));
  return errors;
}

/** Validates the spec of a pod, also within a template. */
export function podSpecErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...volumeErrors(spec.volumes ?? [], path.child('volumes')),
    ...containersErrors(spec, path),
    ...nameErrors(spec, path),
    ...deadlineErrors(spec, path.child('activeDeadlineSeconds')),
    ...validateLabels(textMap(spec.nodeSelector), path.child('nodeSelector')),
    ...(spec.tolerations ?? []).flatMap((toleration, index) =>
      tolerationErrors(toleration, path.child('tolerations').index(index)),
    ),
    ...nameResolutionErrors(spec, path),
    ...placementErrors(spec, path),
    ...podSecurityContextErrors(spec, path.child('securityContext')),
    ...operatingSystemErrors(spec, path),
    ...overheadErrors(spec.overhead ?? {}, path.child('overhead')),
    ...gateErrors(spec, path),
  ];
}

/** Converts a map to a map of strings; null becomes ''. */
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
  ['priorityClassName', validateDnsSubdomain],
  ['runtimeClassName', validateDnsSubdomain],
] as const satisfies readonly (readonly [field: keyof PodSpec, rule: NameRule])[];

function nameErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return namedFields.flatMap(([field, rule]) => {
    const value = spec[field] ?? '';
    return value === '' ? [] : rule(value).map(message => invalidField(path.child(field), value, message));
  });
}

function deadlineErrors({ activeDeadlineSeconds: deadline }: PodSpec, path: FieldPath): FieldError[] {
  if (deadline === undefined || (deadline >= 1 && deadline <= longestDeadline)) return [];
  return [invalidField(path, deadline, `must be between 1 and ${longestDeadline}, inclusive`)];
}

/** Validates affinity and topology spread constraints. */
function placementErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...affinityErrors(spec.affinity ?? {}, path.child('affinity')),
    ...topologySpreadErrors(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints')),
  ];
}

/** Validates scheduling gates and readiness gates. */
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
      return [
        ...validateQualifiedName(name).map(message => invalidField(at, name, message)),
        ...(isRepeated(names, index) ? [duplicateField(at, name)] : []),
      ];
    }),
  ];
}
