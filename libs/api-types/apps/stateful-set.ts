import type { JsonValue } from '@binnacle/api-objects';
import { claimSpecWarnings } from '../core/persistent-volume/persistent-volume-claim-warnings.ts';
import { gatedPodFields } from '../core/pod/gated-pod-fields.ts';
import { gatedPodRules } from '../core/pod/gated-pod-rules.ts';
import { changedTemplateWarnings, podWarnings } from '../core/pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from '../core/pod-template/pod-template-defaults.ts';
import { containerCells, containerColumns } from '../core/pod-template/pod-template-printing.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { StatefulSet } from '../generated/apps/v1.ts';
import type { PersistentVolumeClaim } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import {
  statefulSetErrors,
  statefulSetStatusErrors,
  statefulSetUpdateErrors,
} from './stateful-set-validation.ts';

/** The rules of StatefulSet objects: most fields of the spec are immutable, except for the template and the number of replicas. */
export const statefulSetRules: KindRules<StatefulSet> = {
  generation: true,
  gatedFields: [
    { gate: 'MaxUnavailableStatefulSet', paths: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] },
    { gate: 'StatefulSetAutoDeletePVC', paths: ['spec.persistentVolumeClaimRetentionPolicy'] },
    { gate: 'StatefulSetStartOrdinal', paths: ['spec.ordinals'] },
    ...gatedPodFields('spec.template'),
  ],
  gatedRules: [
    // Of the pod template only metadata, restart policy and deadline are validated.
    ...gatedPodRules<StatefulSet>('spec.template').filter(({ gate }) => gate === 'PodDeletionCost'),
    { gate: 'MaxUnavailableStatefulSet', on: { applyDefaults: applyMaxUnavailable } },
    { gate: 'StatefulSetAutoDeletePVC', on: { applyDefaults: applyClaimRetention } },
  ],
  applyDefaults: applyStatefulSetDefaults,
  uncheckedFields: ['spec.template.spec', 'spec.volumeClaimTemplates'],
  validate: statefulSetErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? statefulSetStatusErrors(object, old) : statefulSetUpdateErrors(object, old),
  warnings: (object, old) => changedTemplateWarnings(object, old, () => statefulSetWarnings(object)),
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
}

function statefulSetWarnings({ spec = {} }: StatefulSet): string[] {
  return [
    ...podWarnings(spec.template ?? {}, 'spec.template'),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      claimSpecWarnings(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`),
    ),
  ];
}

function applyMaxUnavailable({ spec }: StatefulSet): void {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  if (type === 'RollingUpdate' && rollingUpdate) rollingUpdate.maxUnavailable ??= 1;
}

function applyClaimRetention({ spec }: StatefulSet): void {
  if (spec === undefined) return;
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  const { persistentVolumeClaimRetentionPolicy: retention } = spec;
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
}

/** A claim template is a complete object with kind and apiVersion; like in all templates its creation timestamp is null. */
function applyClaimDefaults(claim: PersistentVolumeClaim): void {
  claim.apiVersion = 'v1';
  claim.kind = 'PersistentVolumeClaim';
  claim.metadata ??= {};
  const metadata: { creationTimestamp?: string | null } = claim.metadata;
  metadata.creationTimestamp ??= null;
}

function cells(object: StatefulSet, now: number): JsonValue[] {
  const { replicas = 0, template } = object.spec ?? {};
  return [
    nameCell(object),
    `${object.status?.readyReplicas ?? 0}/${replicas}`,
    ageCell(object, now),
    ...containerCells(template),
  ];
}
