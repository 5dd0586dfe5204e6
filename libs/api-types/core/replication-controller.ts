import {
  type FieldError,
  fieldPath,
  type JsonValue,
  labelSelectorFrom,
  requiredField,
  validateLabels,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ReplicationController } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import { gatedPodFields } from './pod/gated-pod-fields.ts';
import { gatedPodRules } from './pod/gated-pod-rules.ts';
import { textMap } from './pod/pod-validation.ts';
import { changedTemplateWarnings, podWarnings } from './pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from './pod-template/pod-template-defaults.ts';
import { containerCells, labelsCell, templateColumns } from './pod-template/pod-template-printing.ts';
import { replicatedTemplateErrors } from './pod-template/pod-template-validation.ts';

const spec$ = fieldPath('spec');
const statusCounts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];

/** The rules of ReplicationController objects; their selector is mutable. */
export const replicationControllerRules: KindRules<ReplicationController> = {
  generation: true,
  gatedFields: gatedPodFields('spec.template'),
  gatedRules: gatedPodRules('spec.template'),
  orphansDependents: { warning: '' },
  applyDefaults: applyControllerDefaults,
  validate: controllerErrors,
  validateUpdate: (object, _old, subresource) =>
    subresource === 'status' ? nonNegativeErrors(statusIn(object), statusCounts, fieldPath('status')) : [],
  warnings: (object, old) =>
    changedTemplateWarnings(object, old, () => podWarnings(object.spec?.template ?? {}, 'spec.template')),
  selectableFieldNames: ['status.replicas'],
  selectableFields: object => ({ 'status.replicas': String(statusIn(object).replicas ?? 0) }),
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

function statusIn(object: ReplicationController) {
  return object.status ?? {};
}

/** Defaults labels and selector to the labels of the template. */
function applyControllerDefaults(object: ReplicationController): void {
  const spec = object.spec ?? {};
  applyPodTemplateDefaults(spec.template);
  writeRequiredCounts(object, ['replicas']);
  const labels = spec.template?.metadata?.labels;
  if (!labels) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  if (Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = textMap(labels);
}

function controllerErrors(object: ReplicationController): FieldError[] {
  const spec = object.spec ?? {};
  const selector$ = spec$.child('selector');
  const matchLabels = textMap(spec.selector);
  const template = spec.template;
  const wrong = validateLabels(matchLabels, selector$);
  const errors = [...nonNegativeErrors(spec, ['minReadySeconds', 'replicas'], spec$), ...wrong];
  const isEmpty = Object.keys(matchLabels).length === 0;
  if (isEmpty) errors.push(requiredField(selector$));
  if (!template) errors.push(requiredField(spec$.child('template')));
  else
    errors.push(
      ...replicatedTemplateErrors(template, {
        path: spec$.child('template'),
        kind: 'ReplicationController',
        selector: isEmpty || wrong.length > 0 ? undefined : labelSelectorFrom({ matchLabels }),
        replicas: spec.replicas ?? 0,
      }),
    );
  return errors;
}

function cells(object: ReplicationController, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const status = statusIn(object);
  return [
    nameCell(object),
    spec.replicas ?? 0,
    status.replicas ?? 0,
    status.readyReplicas ?? 0,
    ageCell(object, now),
    ...containerCells(spec.template),
    labelsCell(spec.selector),
  ];
}
