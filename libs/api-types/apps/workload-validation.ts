import { equalJson, type FieldError, fieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import { replicatedTemplateErrors } from '../core/pod-template/pod-template-validation.ts';
import {
  optionalSelectorErrors,
  selectorFrom,
  validSelector,
} from '../core/selectors/label-selector-validation.ts';
import type {
  DeploymentStatus,
  ReplicaSetSpec,
  ReplicaSetStatus,
  StatefulSetStatus,
} from '../generated/apps/v1.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';

/** Common spec fields of all workload kinds. */
type WorkloadSpec = Pick<ReplicaSetSpec, 'selector' | 'template'>;

/** A number of pods in a status. */
type ReplicaCount = Extract<
  keyof DeploymentStatus | keyof ReplicaSetStatus | keyof StatefulSetStatus,
  `${string}Replicas` | 'replicas'
>;

type ReplicaCounts = { readonly [count in ReplicaCount]?: number };

const spec$ = fieldPath('spec');
const status$ = fieldPath('status');
const selector$ = spec$.child('selector');

/** Validates the selector of a workload: it is required and must not be empty. */
export function workloadSelectorErrors(spec: WorkloadSpec, kind: string): FieldError[] {
  const { selector } = spec;
  if (selector === undefined) return [requiredField(selector$)];
  const errors = optionalSelectorErrors(selector, selector$);
  if (validSelector(selector, selector$)?.requirements.length === 0)
    errors.push(invalidField(selector$, selector, `empty selector is invalid for ${kind.toLowerCase()}`));
  return errors;
}

/** Validates the pod template of a workload; called only if the selector is valid. */
export function workloadTemplateErrors(
  spec: WorkloadSpec,
  facts: { readonly kind: string; readonly replicas?: number },
): FieldError[] {
  if (optionalSelectorErrors(spec.selector, selector$).length > 0)
    return [invalidField(selector$, spec.selector, 'invalid label selector')];
  return replicatedTemplateErrors(spec.template ?? {}, {
    ...facts,
    selector: selectorFrom(spec.selector, selector$),
    path: spec$.child('template'),
  });
}

/** Validates that the selector of an object does not change. */
export function selectorChangeErrors(
  object: { readonly spec?: WorkloadSpec },
  old: { readonly spec?: WorkloadSpec },
): FieldError[] {
  const selector = object.spec?.selector;
  return equalJson(selector, old.spec?.selector)
    ? []
    : [invalidField(selector$, selector ?? null, 'field is immutable')];
}

/** Validates the pod counts of a status: `parts` must not exceed `replicas`, and available pods must be ready. */
export function replicaStatusErrors(status: ReplicaCounts, parts: readonly ReplicaCount[]): FieldError[] {
  const errors = nonNegativeErrors(status, ['replicas', ...parts, 'observedGeneration'], status$);
  const replicas = status.replicas ?? 0;
  for (const part of parts) {
    const count = status[part] ?? 0;
    if (count > replicas)
      errors.push(invalidField(status$.child(part), count, 'cannot be greater than status.replicas'));
  }
  const available = status.availableReplicas ?? 0;
  if (available > (status.readyReplicas ?? 0))
    errors.push(
      invalidField(status$.child('availableReplicas'), available, 'cannot be greater than readyReplicas'),
    );
  return errors;
}

/** Validates that the collision count of a status does not decrease. */
export function collisionCountErrors(
  status: Pick<DeploymentStatus, 'collisionCount'>,
  { collisionCount: before }: Pick<DeploymentStatus, 'collisionCount'>,
): FieldError[] {
  const path = status$.child('collisionCount');
  const { collisionCount: count } = status;
  const errors = nonNegativeErrors(status, ['collisionCount'], status$);
  if (before === undefined) return errors;
  if (count === undefined) errors.push(invalidField(path, null, 'must not be removed once set'));
  else if (count < before) errors.push(invalidField(path, count, 'cannot be decremented'));
  return errors;
}
