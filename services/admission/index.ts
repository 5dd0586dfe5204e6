export { pluginFlags } from './chain/plugin-flags.ts';
export { admissionFlags } from './config.ts';
export { checkPluginFlags, createAdmission } from './create-admission.ts';
