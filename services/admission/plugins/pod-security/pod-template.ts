import type { ApiObject, ObjectMeta } from '@binnacle/api-objects';
import { asObject } from '@binnacle/api-types';
import type { Review } from '../../chain/review.ts';
import type { CheckedPod } from './checks/check.ts';

/** Where workloads keep the template of their pods, by group and resource. */
const paths: Readonly<Record<string, readonly string[]>> = {
  '/podtemplates': ['template'],
  '/replicationcontrollers': ['spec', 'template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
};

/** The workloads that have a template of pods, `group/resource` each. */
export const workloads: readonly string[] = Object.keys(paths);

/** The template of the pods of a workload under review; undefined for everything else. */
export function podTemplateUnderReview(review: Review): CheckedPod | undefined {
  const { definition, operation, subresource, object } = review;
  const path = paths[`${definition.group}/${definition.resource}`];
  if (path === undefined || subresource !== '' || object === undefined) return undefined;
  return operation === 'CREATE' || operation === 'UPDATE' ? templateAt(object, path) : undefined;
}

function templateAt(object: ApiObject, path: readonly string[]): CheckedPod | undefined {
  let found = asObject(object);
  for (const field of path) found = asObject(found?.[field]);
  const spec = asObject(found?.['spec']);
  if (spec === undefined) return undefined;
  return { metadata: (asObject(found?.['metadata']) ?? {}) as ObjectMeta, spec }; // By its definition.
}
