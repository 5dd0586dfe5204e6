import { taints, understood } from '@binnacle/api-names';
import type { Node, Taint } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, objectToChange } from '../../chain/review.ts';

/**
 * TaintNodesByCondition, on by default: nothing is scheduled on a new node until it says that it is ready. A node whose
 * agent labels it in the domain of an alias, as a kubelet does, gets the taint that kube-controller-manager takes off.
 */
export const taintNodesByCondition: PluginRegistration = {
  name: 'TaintNodesByCondition',
  byDefault: true,
  concerns: ['/nodes'],
  operations: ['CREATE'],
  create: () => ({
    name: 'TaintNodesByCondition',
    mutate(review) {
      const { object, operation } = review;
      if (operation !== 'CREATE' || object === undefined || !isAbout(review, '', 'nodes')) return 'unchanged';
      const node: Node = objectToChange(review);
      node.spec ??= {};
      const notReady: Taint = { key: taintKeyFor(node), effect: 'NoSchedule' };
      const { taints: others = [] } = node.spec;
      if (others.some(({ key, effect }) => key === notReady.key && effect === notReady.effect))
        return 'unchanged';
      node.spec.taints = [...others, notReady];
      return 'changed';
    },
  }),
};

/** The keys of the taint by the beginnings of the labels of agents that know it by them. */
const taintAliases = understood.taints.notReady
  .map((key, index) => ({ key, labelPrefix: `${understood.domains.labels[index]}/` }))
  .slice(1);

function taintKeyFor({ metadata: { labels = {} } }: Node): string {
  const names = Object.keys(labels);
  const alias = taintAliases.find(({ labelPrefix }) => names.some(name => name.startsWith(labelPrefix)));
  return alias?.key ?? taints.notReady;
}
