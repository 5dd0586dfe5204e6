export { pluginFlags } from './chain/plugin-flags.ts';
export { admissionFlags } from './config.ts';
export {
  type Admission,
  type AdmissionObjects,
  type AdmissionOptions,
  createAdmission,
} from './create-admission.ts';
