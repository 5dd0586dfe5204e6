import type { JsonValue } from '@binnacle/api-objects';
import { applyPodTemplateDefaults } from '../core/pod-template/pod-template-defaults.ts';
import { containerCells, containerColumns } from '../core/pod-template/pod-template-printing.ts';
import type { KindRules } from '../definitions/definitions.ts';
import type { StatefulSet } from '../generated/apps/v1.ts';
import type { PersistentVolumeClaim } from '../generated/core/v1.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import {
  statefulSetErrors,
  statefulSetStatusErrors,
  statefulSetUpdateErrors,
} from './stateful-set-validation.ts';

/** The rules of StatefulSet objects: but for the template and the number of pods, the spec is fixed at creation. */
export const statefulSetRules: KindRules<StatefulSet> = {
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

function applyStatefulSetDefaults(object: StatefulSet): void {
  const spec = object.spec ?? {};
  applyPodTemplateDefaults(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) applyClaimDefaults(claim);
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  if ((strategy.type ?? '') === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
  writeRequiredCounts(object, ['replicas', 'availableReplicas']);
  const { persistentVolumeClaimRetentionPolicy: retention } = spec;
  if (!retention) return;
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
}

/** A template of a claim stands for a whole object, and says so. */
function applyClaimDefaults(claim: PersistentVolumeClaim): void {
  claim.apiVersion = 'v1';
  claim.kind = 'PersistentVolumeClaim';
}

function cells(object: StatefulSet, now: number): JsonValue[] {
  const { replicas = 0, template } = object.spec ?? {};
  return [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${replicas}`,
    ageOf(object, now),
    ...containerCells(template),
  ];
}
