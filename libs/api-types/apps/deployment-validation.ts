import {
  type ApiObject,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import { asNumber, asObject } from '../values/json-access.ts';
import { amountOfCountOrShare, countOrShareErrors, nonNegativeErrors } from '../values/number-validation.ts';
import {
  collisionCountErrors,
  observedOf,
  replicaStatusErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from './workload-validation.ts';

const spec$ = fieldPath('spec');
const counts = ['replicas', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'];

/** The findings about a deployment; closed sets of values are checked elsewhere. */
export function deploymentErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const errors = [
    ...workloadSelectorErrors(spec, 'Deployment'),
    ...workloadTemplateErrors(spec, { kind: 'ReplicaSet', replicas: asNumber(spec['replicas']) }),
    ...strategyErrors(asObject(spec['strategy']) ?? {}),
    ...nonNegativeErrors(spec, counts, spec$),
  ];
  const deadline = spec['progressDeadlineSeconds'];
  if (typeof deadline === 'number' && deadline <= asNumber(spec['minReadySeconds']))
    errors.push(
      invalidField(spec$.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'),
    );
  return errors;
}

/** The findings about the status of a deployment. */
export function deploymentStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  return [
    ...replicaStatusErrors(object, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
    ...nonNegativeErrors(observedOf(object), ['unavailableReplicas'], fieldPath('status')),
    ...collisionCountErrors(object, old),
  ];
}

function strategyErrors(strategy: JsonObject): FieldError[] {
  const path = spec$.child('strategy', 'rollingUpdate');
  const rollingUpdate = asObject(strategy['rollingUpdate']);
  if (strategy['type'] === 'Recreate')
    return rollingUpdate
      ? [forbiddenField(path, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (strategy['type'] !== 'RollingUpdate') return [];
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
