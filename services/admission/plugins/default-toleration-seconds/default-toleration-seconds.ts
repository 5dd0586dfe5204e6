import { understood } from '@binnacle/api-names';
import type { PodSpec, Toleration } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import type { PluginSettings } from '../../chain/plugin-settings.ts';
import { podToChange } from '../pods/pod-review.ts';

/** DefaultTolerationSeconds, on by default: sets how long a pod without such tolerations stays on a lost node. */
export const defaultTolerationSeconds: PluginRegistration = {
  name: 'DefaultTolerationSeconds',
  byDefault: true,
  concerns: ['/pods'],
  create: ({ settings }) => ({
    name: 'DefaultTolerationSeconds',
    mutate(review) {
      const reviewed = podToChange(review);
      return reviewed && addDefaultTolerations(reviewed.spec, settings) ? 'changed' : 'unchanged';
    },
  }),
};

/** Adds a toleration for each of the two taints of lost nodes that no toleration covers; returns whether it added one. */
export function addDefaultTolerations(spec: PodSpec, settings: PluginSettings): boolean {
  const { defaultNotReadyTolerationSeconds, defaultUnreachableTolerationSeconds } = settings;
  const tolerations = spec.tolerations ?? [];
  const wanted: readonly (readonly [names: readonly string[], seconds: number])[] = [
    [understood.taints.notReady, defaultNotReadyTolerationSeconds],
    [understood.taints.unreachable, defaultUnreachableTolerationSeconds],
  ];
  const added = wanted
    .filter(([names]) => !tolerations.some(toleration => isAbout(toleration, names)))
    .map(([[key = ''], seconds]) => createToleration(key, seconds));
  if (added.length === 0) return false;
  spec.tolerations = [...tolerations, ...added];
  return true;
}

function createToleration(key: string, seconds: number): Toleration {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds };
}

function isAbout(toleration: Toleration, names: readonly string[]): boolean {
  const key = toleration.key ?? '';
  const effect = toleration.effect ?? '';
  return (key === '' || names.includes(key)) && (effect === '' || effect === 'NoExecute');
}
