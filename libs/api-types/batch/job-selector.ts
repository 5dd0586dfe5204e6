import { textMap } from '../core/pod/pod-validation.ts';
import type { Job } from '../generated/batch/v1.ts';

/** The label by which a job selects its pods: its own UID. */
export const controllerLabel = 'controller-uid';

/** The label with the job name of a pod, for users. */
export const jobLabel = 'job-name';

/** Labels of jobs that were defaulted from their templates. */
const ofTemplate = new WeakSet<object>();

/** Defaults the labels of a job to those of its template. */
export function applyJobLabels(object: Job): void {
  const labels = object.spec?.template?.metadata?.labels;
  if (labels && Object.keys(object.metadata.labels ?? {}).length === 0) takeLabels(object, labels);
}

/**
 * Generates the selector and pod labels of a job, unless the client manages the selector; existing labels are kept. If the labels
 * of the job are defaulted from its template, they include the generated ones.
 */
export function generateJobSelector(object: Job): void {
  const spec = object.spec ?? {};
  const { uid = '', name = '', labels: own } = object.metadata;
  if (spec.manualSelector === true) return;
  spec.template ??= {};
  spec.template.metadata ??= {};
  spec.template.metadata.labels ??= {};
  const { labels } = spec.template.metadata;
  labels[jobLabel] ??= name;
  labels[controllerLabel] ??= uid;
  spec.selector ??= {};
  spec.selector.matchLabels ??= {};
  spec.selector.matchLabels[controllerLabel] ??= uid;
  if (Object.keys(own ?? {}).length === 0 || (own && ofTemplate.has(own))) takeLabels(object, labels);
}

function takeLabels(object: Job, labels: Readonly<Record<string, string>>): void {
  const taken = textMap(labels);
  ofTemplate.add(taken);
  object.metadata.labels = taken;
}
