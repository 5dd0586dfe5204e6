import {
  type ApiObject,
  equalJson,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  notSupportedField,
} from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import {
  collisionCountErrors,
  replicaStatusErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from './workload-validation.ts';

const spec$ = fieldPath('spec');
const retentionPolicies = ['Delete', 'Retain'];
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** The findings about a stateful set; closed sets of values are checked elsewhere. */
export function statefulSetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const claims = asObjects(spec['volumeClaimTemplates']).map(claim =>
    asText(asObject(claim['metadata'])?.['name']),
  );
  return [
    ...updateStrategyErrors(asObject(spec['updateStrategy']) ?? {}),
    ...retentionErrors(asObject(spec['persistentVolumeClaimRetentionPolicy']) ?? {}),
    ...nonNegativeErrors(spec, ['replicas', 'minReadySeconds', 'revisionHistoryLimit'], spec$),
    ...nonNegativeErrors(asObject(spec['ordinals']) ?? {}, ['start'], spec$.child('ordinals')),
    ...workloadSelectorErrors(spec, 'StatefulSet'),
    ...workloadTemplateErrors(spec, { kind: 'StatefulSet', furtherClaims: claims }),
  ];
}

/** The findings about a change of a stateful set: pods keep their names and disks, so that little may change. */
export function statefulSetUpdateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  if (equalJson(withoutChangeable(specOf(object)), withoutChangeable(specOf(old)))) return [];
  const names = changeable.map(field => `'${field}'`).join(', ');
  return [forbiddenField(spec$, `updates to fields other than ${names} are forbidden`)];
}

/** The findings about the status of a stateful set. */
export function statefulSetStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
  return [...replicaStatusErrors(object, parts), ...collisionCountErrors(object, old)];
}

function withoutChangeable(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !changeable.includes(field)));
}

function updateStrategyErrors(strategy: JsonObject): FieldError[] {
  const path = spec$.child('updateStrategy', 'rollingUpdate');
  const rollingUpdate = asObject(strategy['rollingUpdate']);
  if (!rollingUpdate) return [];
  if (strategy['type'] === 'OnDelete')
    return [invalidField(path, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")];
  return nonNegativeErrors(rollingUpdate, ['partition'], path);
}

function retentionErrors(policy: JsonObject): FieldError[] {
  const path = spec$.child('persistentVolumeClaimRetentionPolicy');
  return Object.entries(policy).flatMap(([moment, value]) =>
    retentionPolicies.includes(asText(value))
      ? []
      : [notSupportedField(path.child(moment), value, retentionPolicies)],
  );
}
