import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { reviewedName } from '../../chain/review.ts';

/** AlwaysDeny, off by default: refuses every write. */
export const alwaysDeny: PluginRegistration = {
  name: 'AlwaysDeny',
  byDefault: false,
  create: () => ({
    name: 'AlwaysDeny',
    async validate(review) {
      throw forbidden(review.definition, reviewedName(review), 'this server refuses all modifications');
    },
  }),
};
