import type { PluginRegistration } from '../../chain/plugin-registration.ts';

/** AlwaysAdmit, off by default: admits every write; existing configurations may still name it. */
export const alwaysAdmit: PluginRegistration = {
  name: 'AlwaysAdmit',
  byDefault: false,
  create: () => ({ name: 'AlwaysAdmit' }),
};
