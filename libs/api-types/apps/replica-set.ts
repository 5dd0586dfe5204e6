import { type FieldError, fieldPath, type JsonValue } from '@binnacle/api-objects';
import { gatedPodFields } from '../core/pod/gated-pod-fields.ts';
import { gatedPodRules } from '../core/pod/gated-pod-rules.ts';
import { changedTemplateWarnings, podWarnings } from '../core/pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from '../core/pod-template/pod-template-defaults.ts';
import { containerCells, selectorCell, templateColumns } from '../core/pod-template/pod-template-printing.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ReplicaSet } from '../generated/apps/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import {
  replicaStatusErrors,
  selectorChangeErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from './workload-validation.ts';

/** The rules of ReplicaSet objects. */
export const replicaSetRules: KindRules<ReplicaSet> = {
  generation: true,
  gatedFields: gatedPodFields('spec.template'),
  gatedRules: gatedPodRules('spec.template'),
  applyDefaults(object) {
    applyPodTemplateDefaults(object.spec?.template);
    writeRequiredCounts(object, ['replicas']);
  },
  validate: replicaSetErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status'
      ? replicaStatusErrors(object.status ?? {}, [
          'fullyLabeledReplicas',
          'readyReplicas',
          'availableReplicas',
        ])
      : selectorChangeErrors(object, old),
  warnings: (object, old) =>
    changedTemplateWarnings(object, old, () => podWarnings(object.spec?.template ?? {}, 'spec.template')),
  selectableFieldNames: ['status.replicas'],
  selectableFields: object => ({ 'status.replicas': String(object.status?.replicas ?? 0) }),
  columns: [
    nameColumn,
    column('Desired', 'How many pods there are to be.', { type: 'integer' }),
    column('Current', 'How many pods there are.', { type: 'integer' }),
    column('Ready', 'How many pods are ready.', { type: 'integer' }),
    ageColumn,
    ...templateColumns,
  ],
  cells,
};

function replicaSetErrors(object: ReplicaSet): FieldError[] {
  const spec = object.spec ?? {};
  return [
    ...nonNegativeErrors(spec, ['replicas', 'minReadySeconds'], fieldPath('spec')),
    ...workloadSelectorErrors(spec, 'ReplicaSet'),
    ...workloadTemplateErrors(spec, { kind: 'ReplicaSet', replicas: spec.replicas ?? 0 }),
  ];
}

function cells(object: ReplicaSet, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const status = object.status ?? {};
  return [
    nameCell(object),
    spec.replicas ?? 0,
    status.replicas ?? 0,
    status.readyReplicas ?? 0,
    ageCell(object, now),
    ...containerCells(spec.template),
    selectorCell(spec.selector),
  ];
}
