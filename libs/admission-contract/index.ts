export type { Admission, ReviewedWrite, WriteUnderReview } from './admission.ts';
export { remoteAdmission } from './remote-admission.ts';
export { servedAdmission } from './served-admission.ts';
