import type { PluginOffer } from '../../chain/plugin-offer.ts';

/** AlwaysAdmit, off by default: says nothing to any write; existing configurations may still name it. */
export const alwaysAdmit: PluginOffer = {
  name: 'AlwaysAdmit',
  byDefault: false,
  create: () => ({ name: 'AlwaysAdmit' }),
};
