import type { ApiObject } from '@binnacle/api-objects';
import type { Deployment } from '@binnacle/api-types/apps/v1';
import type { CronJob } from '@binnacle/api-types/batch/v1';
import type { PodTemplate, PodTemplateSpec } from '@binnacle/api-types/core/v1';
import type { Review } from '../../chain/review.ts';
import type { CheckedPod } from './checks/check.ts';

type TemplateOf = (workload: ApiObject) => PodTemplateSpec | undefined;

/** Most workloads keep their template where deployments do. */
const templateInSpec: TemplateOf = ({ spec }: Deployment) => spec?.template;

/** Readers of the pod template of a workload, by group and resource. */
const templates: Readonly<Record<string, TemplateOf>> = {
  '/podtemplates': ({ template }: PodTemplate) => template,
  '/replicationcontrollers': templateInSpec,
  'apps/replicasets': templateInSpec,
  'apps/deployments': templateInSpec,
  'apps/statefulsets': templateInSpec,
  'apps/daemonsets': templateInSpec,
  'batch/jobs': templateInSpec,
  'batch/cronjobs': ({ spec }: CronJob) => spec?.jobTemplate?.spec?.template,
};

/** The workloads with a pod template, `group/resource` each. */
export const workloads: readonly string[] = Object.keys(templates);

/** Returns the pod template of a workload under review; undefined for other reviews. */
export function podTemplateUnderReview(review: Review): CheckedPod | undefined {
  const { definition, operation, subresource, object } = review;
  const templateOf = templates[`${definition.group}/${definition.resource}`];
  if (templateOf === undefined || subresource !== '' || object === undefined) return undefined;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined;
  const { metadata = {}, spec } = templateOf(object) ?? {};
  return spec && { metadata, spec };
}
