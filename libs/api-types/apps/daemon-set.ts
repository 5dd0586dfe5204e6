import { type ApiObject, equalJson, type FieldError, fieldPath, type JsonValue } from '@binnacle/api-objects';
import { applyPodTemplateDefaults } from '../core/pod-template-defaults.ts';
import { containerCells, labelsCell, selectorCell, templateColumns } from '../core/pod-template-printing.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject, ensureObject } from '../values/json-access.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { writeRequiredCounts } from '../values/required-counts.ts';
import { daemonSetErrors } from './daemon-set-validation.ts';
import { collisionCountErrors, observedOf, selectorChangeErrors } from './workload-validation.ts';

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

/** The rules of DaemonSet objects; an annotation tells old clients how often the template changed. */
export const daemonSetRules: KindRules = {
  generation: true,
  applyDefaults: applyDaemonSetDefaults,
  prepareForCreate: object => setTemplateGeneration(object, 1),
  prepareForUpdate(object, old, subresource) {
    const changed = !equalJson(specOf(object)['template'], specOf(old)['template']);
    setTemplateGeneration(object, templateGenerationOf(old) + Number(changed && subresource === ''));
  },
  validate: daemonSetErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? statusErrors(object, old) : selectorChangeErrors(object, old),
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

function applyDaemonSetDefaults(object: ApiObject): void {
  const spec = specOf(object);
  applyPodTemplateDefaults(spec['template']);
  writeRequiredCounts(object, requiredCounts);
  const strategy = ensureObject(spec, 'updateStrategy');
  if (strategy['type'] !== 'RollingUpdate') return;
  const rollingUpdate = ensureObject(strategy, 'rollingUpdate');
  rollingUpdate['maxUnavailable'] ??= 1;
  rollingUpdate['maxSurge'] ??= 0;
}

function templateGenerationOf(object: ApiObject): number {
  return Number.parseInt(object.metadata.annotations?.[templateGeneration] ?? '1', 10) || 1;
}

function setTemplateGeneration(object: ApiObject, generation: number): void {
  object.metadata.annotations = {
    ...object.metadata.annotations,
    [templateGeneration]: String(generation),
  };
}

function statusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  return [
    ...nonNegativeErrors(observedOf(object), statusCounts, fieldPath('status')),
    ...collisionCountErrors(object, old),
  ];
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  const status = observedOf(object);
  const template = asObject(spec['template']);
  return [
    nameOf(object),
    asNumber(status['desiredNumberScheduled']),
    asNumber(status['currentNumberScheduled']),
    asNumber(status['numberReady']),
    asNumber(status['updatedNumberScheduled']),
    asNumber(status['numberAvailable']),
    labelsCell(asObject(template?.['spec'])?.['nodeSelector']),
    ageOf(object, now),
    ...containerCells(template),
    selectorCell(spec['selector']),
  ];
}
