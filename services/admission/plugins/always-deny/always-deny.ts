import { forbidden } from '@binnacle/status-errors';
import type { PluginOffer } from '../../chain/plugin-offer.ts';
import { nameOf } from '../../chain/review.ts';

/** AlwaysDeny, off by default: refuses every write. */
export const alwaysDeny: PluginOffer = {
  name: 'AlwaysDeny',
  byDefault: false,
  create: () => ({
    name: 'AlwaysDeny',
    async validate(review) {
      throw forbidden(review.definition, nameOf(review), 'this server refuses all modifications');
    },
  }),
};
