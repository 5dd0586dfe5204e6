export type { PluginSelection } from './chain/plugin-selection.ts';
export { pluginFlags } from './config.ts';
export {
  type Admission,
  type AdmissionObjects,
  type AdmissionOptions,
  createAdmission,
} from './create-admission.ts';
