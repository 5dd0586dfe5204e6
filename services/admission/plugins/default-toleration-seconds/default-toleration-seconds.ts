import { taints } from '@binnacle/api-names';
import type { PodSpec, Toleration } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import type { PluginSettings } from '../../chain/plugin-settings.ts';
import { podUnderReview } from '../pods/pod-review.ts';

/** DefaultTolerationSeconds, on by default: how long pods that do not say stay on a node that is lost. */
export const defaultTolerationSeconds: PluginRegistration = {
  name: 'DefaultTolerationSeconds',
  byDefault: true,
  concerns: ['/pods'],
  create: ({ settings }) => ({
    name: 'DefaultTolerationSeconds',
    async mutate(review) {
      const reviewed = podUnderReview(review);
      return reviewed && addDefaultTolerations(reviewed.spec, settings) ? 'changed' : 'unchanged';
    },
  }),
};

/** Adds a toleration for each of the two taints of lost nodes that none tolerates; answers whether it added one. */
export function addDefaultTolerations(spec: PodSpec, settings: PluginSettings): boolean {
  const { defaultNotReadyTolerationSeconds, defaultUnreachableTolerationSeconds } = settings;
  const tolerations = spec.tolerations ?? [];
  const added = [
    tolerationOf(taints.notReady, defaultNotReadyTolerationSeconds),
    tolerationOf(taints.unreachable, defaultUnreachableTolerationSeconds),
  ].filter(({ key }) => !tolerations.some(toleration => isAbout(toleration, key)));
  if (added.length === 0) return false;
  spec.tolerations = [...tolerations, ...added];
  return true;
}

function tolerationOf(key: string, seconds: number): Toleration & { key: string } {
  return {
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: seconds,
  };
}

function isAbout(toleration: Toleration, taint: string): boolean {
  const key = toleration.key ?? '';
  const effect = toleration.effect ?? '';
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}
