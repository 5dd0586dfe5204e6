import { textMap } from '../core/pod/pod-validation.ts';
import type { Job } from '../generated/batch/v1.ts';

/** The label by which a job finds its pods: its own uid. */
export const controllerLabel = 'controller-uid';

/** The label that names the job of a pod to people. */
export const jobLabel = 'job-name';

/** Labels of jobs that are those of their template by default. */
const ofTemplate = new WeakSet<object>();

/** Gives a job without labels those of its template. */
export function applyJobLabels(object: Job): void {
  const labels = object.spec?.template?.metadata?.labels;
  if (labels && Object.keys(object.metadata.labels ?? {}).length === 0) takeLabels(object, labels);
}

/**
 * Makes a job count its own pods and no others, unless the client takes care of that; labels that are there stay. Where the
 * labels of the job are those of its template by default, they are so afterwards too.
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
