export type { Admission, ReviewedWrite, WriteJson, WriteUnderReview } from './admission.ts';
export { remoteAdmission } from './remote-admission.ts';
export { servedAdmission } from './served-admission.ts';
