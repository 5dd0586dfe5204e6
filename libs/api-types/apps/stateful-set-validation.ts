import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
} from '@binnacle/api-objects';
import {
  endlessErrors,
  labelMatchErrors,
  templateMetadataErrors,
} from '../core/pod-template/pod-template-validation.ts';
import { optionalSelectorErrors, selectorFrom } from '../core/selectors/label-selector-validation.ts';
import type {
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from '../generated/apps/v1.ts';
import { equalMessages } from '../values/equal-values.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { collisionCountErrors, replicaStatusErrors, workloadSelectorErrors } from './workload-validation.ts';

const spec$ = fieldPath('spec');
const managementPolicies = ['OrderedReady', 'Parallel'];
const retentionPolicies = ['Delete', 'Retain'];
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/**
 * Validates a stateful set. Like kube-apiserver it leaves pods and claims to be validated when they are created: a template may
 * mount claims that do not exist yet.
 */
export function statefulSetErrors(object: StatefulSet): FieldError[] {
  const spec = object.spec ?? {};
  return [
    ...managementErrors(spec.podManagementPolicy ?? ''),
    ...updateStrategyErrors(spec.updateStrategy ?? {}),
    ...retentionErrors(spec.persistentVolumeClaimRetentionPolicy ?? {}),
    ...nonNegativeErrors(spec, ['replicas', 'minReadySeconds', 'revisionHistoryLimit'], spec$),
    ...nonNegativeErrors(spec.ordinals ?? {}, ['start'], spec$.child('ordinals')),
    ...workloadSelectorErrors(spec, 'StatefulSet'),
    ...templateErrors(spec),
  ];
}

function managementErrors(policy: string): FieldError[] {
  return managementPolicies.includes(policy)
    ? []
    : [
        invalidField(
          spec$.child('podManagementPolicy'),
          policy,
          `must be '${managementPolicies.join("' or '")}'`,
        ),
      ];
}

function templateErrors({ selector, template = {} }: StatefulSetSpec): FieldError[] {
  const selector$ = spec$.child('selector');
  const template$ = spec$.child('template');
  if (optionalSelectorErrors(selector, selector$).length > 0) return [invalidField(selector$, selector, '')];
  return [
    ...labelMatchErrors(template, selectorFrom(selector, selector$), template$),
    ...templateMetadataErrors(template, template$),
    ...endlessErrors(template.spec ?? {}, 'StatefulSet', template$.child('spec')),
  ];
}

/** Validates an update of a stateful set: only a few fields may change, because pods keep their names and volumes. */
export function statefulSetUpdateErrors(object: StatefulSet, old: StatefulSet): FieldError[] {
  if (equalMessages('apps.v1.StatefulSetSpec', withoutChangeable(object.spec), withoutChangeable(old.spec)))
    return [];
  const names = changeable.map(field => `'${field}'`).join(', ');
  return [forbiddenField(spec$, `updates to fields other than ${names} are forbidden`)];
}

/** Validates the status of a stateful set. */
export function statefulSetStatusErrors(object: StatefulSet, old: StatefulSet): FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  return [
    ...replicaStatusErrors(object.status ?? {}, parts),
    ...collisionCountErrors(object.status ?? {}, old.status ?? {}),
  ];
}

function withoutChangeable(spec: StatefulSetSpec = {}): StatefulSetSpec {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !changeable.includes(field)));
}

function updateStrategyErrors({ type, rollingUpdate }: StatefulSetUpdateStrategy): FieldError[] {
  const strategy$ = spec$.child('updateStrategy');
  if (type !== 'OnDelete' && type !== 'RollingUpdate')
    return [invalidField(strategy$, { type }, "must be 'RollingUpdate' or 'OnDelete'")];
  const path = strategy$.child('rollingUpdate');
  if (!rollingUpdate) return [];
  if (type === 'OnDelete')
    return [invalidField(path, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")];
  return nonNegativeErrors(rollingUpdate, ['partition'], path);
}

function retentionErrors(policy: StatefulSetPersistentVolumeClaimRetentionPolicy): FieldError[] {
  const path = spec$.child('persistentVolumeClaimRetentionPolicy');
  return Object.entries(policy).flatMap(([moment, value]) =>
    retentionPolicies.includes(value)
      ? []
      : [notSupportedField(path.child(moment), value, retentionPolicies)],
  );
}
