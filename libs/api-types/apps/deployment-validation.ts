import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { Deployment, DeploymentStrategy } from '../generated/apps/v1.ts';
import { amountOfCountOrShare, countOrShareErrors, nonNegativeErrors } from '../values/number-validation.ts';
import {
  collisionCountErrors,
  replicaStatusErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from './workload-validation.ts';

const spec$ = fieldPath('spec');
const counts = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'];

/** Validates a deployment. */
export function deploymentErrors(object: Deployment): FieldError[] {
  const spec = object.spec ?? {};
  const errors = [
    ...workloadSelectorErrors(spec, 'Deployment'),
    ...workloadTemplateErrors(spec, { kind: 'ReplicaSet', replicas: spec.replicas ?? 0 }),
    ...strategyErrors(spec.strategy ?? {}),
    ...nonNegativeErrors(spec, counts, spec$),
  ];
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  if (deadline !== undefined && deadline <= minReadySeconds)
    errors.push(
      invalidField(spec$.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'),
    );
  return errors;
}

/** Validates the status of a deployment. */
export function deploymentStatusErrors(object: Deployment, old: Deployment): FieldError[] {
  return [
    ...replicaStatusErrors(object.status ?? {}, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
    ...nonNegativeErrors(object.status ?? {}, ['unavailableReplicas'], fieldPath('status')),
    ...collisionCountErrors(object.status ?? {}, old.status ?? {}),
  ];
}

function strategyErrors({ type, rollingUpdate }: DeploymentStrategy): FieldError[] {
  const path = spec$.child('strategy', 'rollingUpdate');
  if (type === 'Recreate')
    return rollingUpdate
      ? [forbiddenField(path, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (type !== 'RollingUpdate')
    return [notSupportedField(spec$.child('strategy'), type, ['Recreate', 'RollingUpdate'])];
  if (!rollingUpdate) return [requiredField(path)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...countOrShareErrors(maxUnavailable, path.child('maxUnavailable'), 100),
    ...countOrShareErrors(maxSurge, path.child('maxSurge')),
  ];
  if (amountOfCountOrShare(maxUnavailable) === 0 && amountOfCountOrShare(maxSurge) === 0)
    errors.push(
      invalidField(path.child('maxUnavailable'), maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0'),
    );
  return errors;
}
