import type { JsonObject } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { containersOf } from '../pods/containers.ts';
import { forbidWrite, podUnderReview } from '../pods/pod-review.ts';

/** SecurityContextDeny, off by default: pods do not choose as whom they run. */
export const securityContextDeny: PluginRegistration = {
  name: 'SecurityContextDeny',
  byDefault: false,
  concerns: ['/pods'],
  create: () => ({
    name: 'SecurityContextDeny',
    async validate(review) {
      const reviewed = podUnderReview(review);
      const denied = reviewed && deniedSecurityField(reviewed.spec);
      if (denied !== undefined) throw forbidWrite(review, `${denied} may not be set`);
    },
  }),
};

const ofPods = ['supplementalGroups', 'seLinuxOptions', 'runAsUser', 'fsGroup'];
const ofContainers = ['seLinuxOptions', 'runAsUser'];

/** The first field of a security context that is set and may not be; undefined when there is none. */
function deniedSecurityField(spec: JsonObject): string | undefined {
  const ofPod = setField(spec, ofPods);
  if (ofPod !== undefined) return `the pod's securityContext.${ofPod}`;
  for (const container of containersOf(spec)) {
    const field = setField(container, ofContainers);
    if (field !== undefined) return `securityContext.${field} of container ${asText(container['name'])}`;
  }
  return undefined;
}

function setField(owner: JsonObject, fields: readonly string[]): string | undefined {
  const context = asObject(owner['securityContext']) ?? {};
  return fields.find(field => context[field] !== undefined && context[field] !== null);
}
