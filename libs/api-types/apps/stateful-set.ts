import type { ApiObject, JsonObject, JsonValue } from '@binnacle/api-objects';
import { applyPodTemplateDefaults } from '../core/pod-template-defaults.ts';
import { containerCells, containerColumns } from '../core/pod-template-printing.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText, ensureObject } from '../values/json-access.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import {
  statefulSetErrors,
  statefulSetStatusErrors,
  statefulSetUpdateErrors,
} from './stateful-set-validation.ts';
import { observedOf } from './workload-validation.ts';

/** The rules of StatefulSet objects: but for the template and the number of pods, the spec is fixed at creation. */
export const statefulSetRules: KindRules = {
  generation: true,
  applyDefaults: applyStatefulSetDefaults,
  validate: statefulSetErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? statefulSetStatusErrors(object, old) : statefulSetUpdateErrors(object, old),
  columns: [
    nameColumn,
    column('Ready', 'How many pods are ready, of how many.'),
    ageColumn,
    ...containerColumns,
  ],
  cells,
};

function applyStatefulSetDefaults(object: ApiObject): void {
  const spec = specOf(object);
  applyPodTemplateDefaults(spec['template']);
  for (const claim of asObjects(spec['volumeClaimTemplates'])) applyClaimDefaults(claim);
  const strategy = ensureObject(spec, 'updateStrategy');
  if (asText(strategy['type']) === '') {
    strategy['type'] = 'RollingUpdate';
    ensureObject(strategy, 'rollingUpdate');
  }
  const rollingUpdate = asObject(strategy['rollingUpdate']);
  if (strategy['type'] === 'RollingUpdate' && rollingUpdate) rollingUpdate['partition'] ??= 0;
  writeRequiredCounts(object, ['replicas', 'availableReplicas']);
  const retention = asObject(spec['persistentVolumeClaimRetentionPolicy']);
  for (const moment of retention ? ['whenDeleted', 'whenScaled'] : [])
    if (retention && asText(retention[moment]) === '') retention[moment] = 'Retain';
}

/** A template of a claim stands for a whole object, and says so. */
function applyClaimDefaults(claim: JsonObject): void {
  claim['apiVersion'] = 'v1';
  claim['kind'] = 'PersistentVolumeClaim';
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  return [
    nameOf(object),
    `${asNumber(observedOf(object)['readyReplicas'])}/${asNumber(spec['replicas'])}`,
    ageOf(object, now),
    ...containerCells(spec['template']),
  ];
}
