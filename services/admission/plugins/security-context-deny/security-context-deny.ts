import type { PodSpec } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { listContainers } from '../pods/containers.ts';
import { forbidWrite, podSpecBefore, podUnderReview } from '../pods/pod-review.ts';

/** SecurityContextDeny, off by default: refuses pods that set runAsUser, fsGroup, supplementalGroups or seLinuxOptions. */
export const securityContextDeny: PluginRegistration = {
  name: 'SecurityContextDeny',
  byDefault: false,
  concerns: ['/pods'],
  create: () => ({
    name: 'SecurityContextDeny',
    async validate(review) {
      const reviewed = podUnderReview(review);
      const denied = reviewed && deniedSecurityField(reviewed.spec);
      if (denied === undefined || denied === deniedSecurityField(podSpecBefore(review) ?? {})) return;
      throw forbidWrite(review, `${denied} may not be set`);
    },
  }),
};

const ofPods = ['supplementalGroups', 'seLinuxOptions', 'runAsUser', 'fsGroup'] as const;
const ofContainers = ['seLinuxOptions', 'runAsUser'] as const;

/** Finds the first forbidden field of a security context. */
function deniedSecurityField(spec: PodSpec): string | undefined {
  const ofPod = ofPods.find(field => spec.securityContext?.[field] !== undefined);
  if (ofPod !== undefined) return `the pod's securityContext.${ofPod}`;
  for (const { name = '', securityContext } of listContainers(spec)) {
    const field = ofContainers.find(each => securityContext?.[each] !== undefined);
    if (field !== undefined) return `securityContext.${field} of container ${name}`;
  }
  return undefined;
}
