import { type FieldError, fieldPath, type JsonValue } from '@binnacle/api-objects';
import { gatedPodFields } from '../core/pod/gated-pod-fields.ts';
import { gatedPodRules } from '../core/pod/gated-pod-rules.ts';
import { podWarnings } from '../core/pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from '../core/pod-template/pod-template-defaults.ts';
import {
  containerCells,
  labelsCell,
  selectorCell,
  templateColumns,
} from '../core/pod-template/pod-template-printing.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { DaemonSet } from '../generated/apps/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { equalMessages } from '../values/equal-values.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import { daemonSetErrors } from './daemon-set-validation.ts';
import { collisionCountErrors, selectorChangeErrors } from './workload-validation.ts';

const templateGeneration = 'deprecated.daemonset.template.generation';
const requiredCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
];
const statusCounts = [
  ...requiredCounts,
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
];

/** The rules of DaemonSet objects; an annotation contains the template generation for old clients. */
export const daemonSetRules: KindRules<DaemonSet> = {
  generation: true,
  gatedFields: gatedPodFields('spec.template'),
  gatedRules: gatedPodRules('spec.template'),
  applyDefaults: applyDaemonSetDefaults,
  prepareForCreate: object => setTemplateGeneration(object, 1),
  prepareForUpdate(object, old, subresource) {
    const changed = !equalMessages('core.v1.PodTemplateSpec', object.spec?.template, old.spec?.template);
    setTemplateGeneration(object, readTemplateGeneration(old) + Number(changed && subresource === ''));
  },
  validate: daemonSetErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? statusErrors(object, old) : selectorChangeErrors(object, old),
  warnings: (object, old) =>
    old !== undefined && readTemplateGeneration(object) === readTemplateGeneration(old)
      ? []
      : podWarnings(object.spec?.template ?? {}, 'spec.template'),
  columns: [
    nameColumn,
    column('Desired', 'How many machines are to run the pod.', { type: 'integer' }),
    column('Current', 'How many machines run the pod and are to.', { type: 'integer' }),
    column('Ready', 'How many machines have a ready pod.', { type: 'integer' }),
    column('Up-to-date', 'How many machines have a pod of the newest template.', { type: 'integer' }),
    column('Available', 'How many machines have a pod that has been ready for long enough.', {
      type: 'integer',
    }),
    column('Node Selector', 'The labels of the machines that are to run the pod.'),
    ageColumn,
    ...templateColumns,
  ],
  cells,
};

function applyDaemonSetDefaults(object: DaemonSet): void {
  const spec = object.spec ?? {};
  applyPodTemplateDefaults(spec.template);
  writeRequiredCounts(object, requiredCounts);
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  if (strategy.type !== 'RollingUpdate') return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= 1;
  strategy.rollingUpdate.maxSurge ??= 0;
}

function readTemplateGeneration(object: DaemonSet): number {
  return Number.parseInt(object.metadata.annotations?.[templateGeneration] ?? '1', 10) || 1;
}

function setTemplateGeneration(object: DaemonSet, generation: number): void {
  object.metadata.annotations = {
    ...object.metadata.annotations,
    [templateGeneration]: String(generation),
  };
}

function statusErrors(object: DaemonSet, old: DaemonSet): FieldError[] {
  return [
    ...nonNegativeErrors(object.status ?? {}, statusCounts, fieldPath('status')),
    ...collisionCountErrors(object.status ?? {}, old.status ?? {}),
  ];
}

function cells(object: DaemonSet, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const status = object.status ?? {};
  const { template } = spec;
  return [
    nameCell(object),
    status.desiredNumberScheduled ?? 0,
    status.currentNumberScheduled ?? 0,
    status.numberReady ?? 0,
    status.updatedNumberScheduled ?? 0,
    status.numberAvailable ?? 0,
    labelsCell(template?.spec?.nodeSelector),
    ageCell(object, now),
    ...containerCells(template),
    selectorCell(spec.selector),
  ];
}
