export { pluginFlags } from './chain/plugin-flags.ts';
export { admissionFlags } from './config.ts';
export { createAdmission } from './create-admission.ts';
