import type { ApiObject } from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import { ensureObject } from '../values/json-access.ts';

/** The label by which a job finds its pods: its own uid. */
export const controllerLabel = 'controller-uid';

/** The label that names the job of a pod to people. */
export const jobLabel = 'job-name';

/** Makes a job count its own pods and no others, unless the client takes care of that; labels that are there stay. */
export function generateJobSelector(object: ApiObject): void {
  const spec = specOf(object);
  const { uid = '', name = '' } = object.metadata;
  if (spec['manualSelector'] === true) return;
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  labels[jobLabel] ??= name;
  labels[controllerLabel] ??= uid;
  ensureObject(ensureObject(spec, 'selector'), 'matchLabels')[controllerLabel] ??= uid;
}
