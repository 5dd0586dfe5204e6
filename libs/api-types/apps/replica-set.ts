import { type ApiObject, type FieldError, fieldPath, type JsonValue } from '@binnacle/api-objects';
import { applyPodTemplateDefaults } from '../core/pod-template-defaults.ts';
import { containerCells, selectorCell, templateColumns } from '../core/pod-template-printing.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber } from '../values/json-access.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import {
  observedOf,
  replicaStatusErrors,
  selectorChangeErrors,
  workloadSelectorErrors,
  workloadTemplateErrors,
} from './workload-validation.ts';

/** The rules of ReplicaSet objects. */
export const replicaSetRules: KindRules = {
  generation: true,
  applyDefaults(object) {
    applyPodTemplateDefaults(specOf(object)['template']);
    writeRequiredCounts(object, ['replicas']);
  },
  validate: replicaSetErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status'
      ? replicaStatusErrors(object, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'])
      : selectorChangeErrors(object, old),
  selectableFieldNames: ['status.replicas'],
  selectableFields: object => ({ 'status.replicas': String(asNumber(observedOf(object)['replicas'])) }),
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

function replicaSetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...nonNegativeErrors(spec, ['replicas', 'minReadySeconds'], fieldPath('spec')),
    ...workloadSelectorErrors(spec, 'ReplicaSet'),
    ...workloadTemplateErrors(spec, { kind: 'ReplicaSet', replicas: asNumber(spec['replicas']) }),
  ];
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  const status = observedOf(object);
  return [
    nameOf(object),
    asNumber(spec['replicas']),
    asNumber(status['replicas']),
    asNumber(status['readyReplicas']),
    ageOf(object, now),
    ...containerCells(spec['template']),
    selectorCell(spec['selector']),
  ];
}
