import { type ApiObject, type JsonValue, parseTimestamp } from '@binnacle/api-objects';
import { applyPodTemplateDefaults } from '../core/pod-template-defaults.ts';
import { containerCells, selectorCell, templateColumns } from '../core/pod-template-printing.ts';
import { textMap } from '../core/pod-validation.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { briefDuration } from '../printing/age.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText, ensureObject } from '../values/json-access.ts';
import { generateJobSelector } from './job-selector.ts';
import { jobStatusErrors, jobUpdateErrors } from './job-update-validation.ts';
import { jobCreateErrors, jobErrors } from './job-validation.ts';

/**
 * Says that the pods of a job have finalizers until they are counted. Job controllers look for it under their own name:
 * without that, kube-controller-manager counts as it did before 1.23, and runs pods again that were deleted uncounted.
 */
const trackingAnnotations = { 'batch.cluster.io/job-tracking': '', 'batch.kubernetes.io/job-tracking': '' };

/** The rules of Job objects. */
export const jobRules: KindRules = {
  generation: true,
  orphansDependents: {
    warning:
      'the pods of a job that is deleted stay by default; set propagationPolicy=Background to have them deleted, or propagationPolicy=Orphan to confirm that they stay',
  },
  applyDefaults: applyJobDefaults,
  prepareForCreate(object) {
    object.metadata.annotations = { ...object.metadata.annotations, ...trackingAnnotations };
  },
  completeCreate: generateJobSelector,
  validate: jobErrors,
  validateCreate: jobCreateErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? jobStatusErrors(object) : jobUpdateErrors(object, old),
  selectableFieldNames: ['status.successful'],
  selectableFields: object => ({
    'status.successful': String(asNumber(asObject(object['status'])?.['succeeded'])),
  }),
  columns: [
    nameColumn,
    column('Completions', 'How many pods have succeeded, of how many.'),
    column('Duration', 'How long the job took, or has taken so far.'),
    ageColumn,
    ...templateColumns,
  ],
  cells,
};

function applyJobDefaults(object: ApiObject): void {
  const spec = specOf(object);
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  spec['parallelism'] ??= 1;
  spec['backoffLimit'] ??= 6;
  spec['completionMode'] ??= 'NonIndexed';
  spec['suspend'] ??= false;
  for (const rule of asObjects(asObject(spec['podFailurePolicy'])?.['rules']))
    for (const pattern of asObjects(rule['onPodConditions']))
      if (asText(pattern['status']) === '') pattern['status'] = 'True';
  const template = ensureObject(spec, 'template');
  applyPodTemplateDefaults(template);
  const labels = asObject(asObject(template['metadata'])?.['labels']);
  if (labels && Object.keys(object.metadata.labels ?? {}).length === 0)
    object.metadata.labels = textMap(labels);
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  return [
    nameOf(object),
    completions(object),
    durationOf(object, now),
    ageOf(object, now),
    ...containerCells(spec['template']),
    selectorCell(spec['selector']),
  ];
}

function completions(object: ApiObject): string {
  const spec = specOf(object);
  const succeeded = asNumber(asObject(object['status'])?.['succeeded']);
  if (spec['completions'] !== undefined) return `${succeeded}/${asNumber(spec['completions'])}`;
  const parallelism = asNumber(spec['parallelism']);
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf(object: ApiObject, now: number): string {
  const status = asObject(object['status']);
  const start = parseTimestamp(asText(status?.['startTime']));
  if (start === undefined) return '';
  const end = parseTimestamp(asText(status?.['completionTime'])) ?? now;
  return briefDuration(Math.trunc((end - start) / 1000));
}
