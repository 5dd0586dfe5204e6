import { labels, understood } from '@binnacle/api-names';
import type { PodSpec } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { forbidWrite, podSpecBefore, podUnderReview } from '../pods/pod-review.ts';

/**
 * LimitPodHardAntiAffinityTopology, off by default: required pod anti-affinity may exclude other pods from a node, not from a
 * zone.
 */
export const limitPodHardAntiAffinityTopology: PluginRegistration = {
  name: 'LimitPodHardAntiAffinityTopology',
  byDefault: false,
  concerns: ['/pods'],
  create: () => ({
    name: 'LimitPodHardAntiAffinityTopology',
    async validate(review) {
      const reviewed = podUnderReview(review);
      const key = reviewed && widerTopologyKey(reviewed.spec);
      if (key === undefined || key === widerTopologyKey(podSpecBefore(review) ?? {})) return;
      throw forbidWrite(
        review,
        `required pod anti-affinity has the topology key ${JSON.stringify(key)}; only ${labels.hostname} is permitted`,
      );
    },
  }),
};

const nodeKeys = understood.labels.hostname;

/** Finds the first topology key of required anti-affinity that is not the host name. */
function widerTopologyKey(spec: PodSpec): string | undefined {
  const antiAffinity = spec.affinity?.podAntiAffinity;
  return (antiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
    .map(term => term.topologyKey ?? '')
    .find(key => !nodeKeys.includes(key));
}
