import type { PluginRegistration } from '../../chain/plugin-registration.ts';

/** AlwaysAdmit, off by default: says nothing to any write; existing configurations may still name it. */
export const alwaysAdmit: PluginRegistration = {
  name: 'AlwaysAdmit',
  byDefault: false,
  create: () => ({ name: 'AlwaysAdmit' }),
};
