import { understood } from '@binnacle/api-names';
import { type JsonValue, parseTimestamp } from '@binnacle/api-objects';
import { gatedPodFields } from '../core/pod/gated-pod-fields.ts';
import { gatedPodRules } from '../core/pod/gated-pod-rules.ts';
import { changedTemplateWarnings, podWarnings } from '../core/pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from '../core/pod-template/pod-template-defaults.ts';
import { containerCells, selectorCell, templateColumns } from '../core/pod-template/pod-template-printing.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Job } from '../generated/batch/v1.ts';
import { briefDuration } from '../printing/age.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { applyJobLabels, generateJobSelector } from './job-selector.ts';
import { jobReschedulingErrors, jobStatusErrors, jobUpdateErrors } from './job-update-validation.ts';
import { jobCreateErrors, jobErrors } from './job-validation.ts';

/**
 * Marks jobs whose pods have finalizers until they are counted. Job controllers look for it under the name of their vocabulary:
 * without it, kube-controller-manager counts like releases before 1.23 and recreates pods that were deleted before they were
 * counted.
 */
const trackingAnnotations = Object.fromEntries(understood.annotations.jobTracking.map(name => [name, '']));

/** The rules of Job objects. */
export const jobRules: KindRules<Job> = {
  generation: true,
  gatedFields: [
    { gate: 'JobPodFailurePolicy', paths: ['spec.podFailurePolicy'] },
    ...gatedPodFields('spec.template'),
  ],
  gatedRules: [
    ...gatedPodRules<Job>('spec.template'),
    { gate: 'JobMutableNodeSchedulingDirectives', off: { validateUpdate: jobReschedulingErrors } },
  ],
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
  warnings: (object, old) =>
    changedTemplateWarnings(object, old, () => podWarnings(object.spec?.template ?? {}, 'spec.template')),
  selectableFieldNames: ['status.successful'],
  selectableFields: object => ({
    'status.successful': String(object.status?.succeeded ?? 0),
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

function applyJobDefaults(object: Job): void {
  const spec = object.spec ?? {};
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  spec.template ??= {};
  applyPodTemplateDefaults(spec.template);
  applyJobLabels(object);
}

function cells(object: Job, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  return [
    nameCell(object),
    completions(object),
    durationCell(object, now),
    ageCell(object, now),
    ...containerCells(spec.template),
    selectorCell(spec.selector),
  ];
}

function completions(object: Job): string {
  const { completions: wanted, parallelism = 0 } = object.spec ?? {};
  const succeeded = object.status?.succeeded ?? 0;
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell(object: Job, now: number): string {
  const start = parseTimestamp(object.status?.startTime ?? '');
  if (start === undefined) return '';
  const end = parseTimestamp(object.status?.completionTime ?? '') ?? now;
  return briefDuration(Math.trunc((end - start) / 1000));
}
