export type { PluginSelection } from './chain/plugin-selection.ts';
export { admissionFlags, pluginFlags, pluginOptionsFrom } from './config.ts';
export {
  type Admission,
  type AdmissionObjects,
  type AdmissionOptions,
  createAdmission,
  type PluginOptions,
} from './create-admission.ts';
