import type { Job } from '../generated/batch/v1.ts';

/** The label by which a job finds its pods: its own uid. */
export const controllerLabel = 'controller-uid';

/** The label that names the job of a pod to people. */
export const jobLabel = 'job-name';

/** Makes a job count its own pods and no others, unless the client takes care of that; labels that are there stay. */
export function generateJobSelector(object: Job): void {
  const spec = object.spec ?? {};
  const { uid = '', name = '' } = object.metadata;
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
}
