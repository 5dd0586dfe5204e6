import { asObjects, ensureObject } from '@binnacle/api-types';
import type { PluginOffer } from '../../chain/plugin-offer.ts';
import { isAbout } from '../../chain/review.ts';

const notReady = { key: 'node.cluster.io/not-ready', effect: 'NoSchedule' };

/** TaintNodesByCondition, on by default: nothing is scheduled on a new node until it says that it is ready. */
export const taintNodesByCondition: PluginOffer = {
  name: 'TaintNodesByCondition',
  byDefault: true,
  concerns: ['/nodes'],
  create: () => ({
    name: 'TaintNodesByCondition',
    async mutate(review) {
      const { object, operation } = review;
      if (operation !== 'CREATE' || object === undefined || !isAbout(review, '', 'nodes')) return 'unchanged';
      const spec = ensureObject(object, 'spec');
      const taints = asObjects(spec['taints']);
      if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect))
        return 'unchanged';
      spec['taints'] = [...taints, { ...notReady }];
      return 'changed';
    },
  }),
};
