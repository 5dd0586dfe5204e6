import type { Node, Taint } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout } from '../../chain/review.ts';

/**
 * TaintNodesByCondition, on by default: nothing is scheduled on a new node until it says that it is ready. A node whose
 * agent labels it with `kubernetes.io/…` names, as a kubelet does, gets the taint that kube-controller-manager takes off.
 */
export const taintNodesByCondition: PluginRegistration = {
  name: 'TaintNodesByCondition',
  byDefault: true,
  concerns: ['/nodes'],
  create: () => ({
    name: 'TaintNodesByCondition',
    async mutate(review) {
      const { object, operation } = review;
      if (operation !== 'CREATE' || object === undefined || !isAbout(review, '', 'nodes')) return 'unchanged';
      const node: Node = object;
      node.spec ??= {};
      const notReady: Taint = { key: `node.${domainOf(node)}/not-ready`, effect: 'NoSchedule' };
      const { taints = [] } = node.spec;
      if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect))
        return 'unchanged';
      node.spec.taints = [...taints, notReady];
      return 'changed';
    },
  }),
};

function domainOf({ metadata: { labels = {} } }: Node): string {
  const isOfKubelet = Object.keys(labels).some(label => label.startsWith('kubernetes.io/'));
  return isOfKubelet ? 'kubernetes.io' : 'cluster.io';
}
