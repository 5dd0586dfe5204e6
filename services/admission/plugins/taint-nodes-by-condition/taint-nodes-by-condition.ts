import { taints, understood } from '@binnacle/api-names';
import type { Node, Taint } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, objectToChange } from '../../chain/review.ts';

/**
 * TaintNodesByCondition, on by default: taints a new node as not ready, so that no pod is scheduled on it yet. A node whose agent
 * labels it in the domain of an alias, as a kubelet does, gets the taint that kube-controller-manager removes.
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

/** The keys of the taint, by the label prefixes of the agents that use them. */
const taintAliases = understood.taints.notReady
  .map((key, index) => ({ key, labelPrefix: `${understood.domains.labels[index]}/` }))
  .slice(1);

function taintKeyFor({ metadata: { labels = {} } }: Node): string {
  const names = Object.keys(labels);
  const alias = taintAliases.find(({ labelPrefix }) => names.some(name => name.startsWith(labelPrefix)));
  return alias?.key ?? taints.notReady;
}
