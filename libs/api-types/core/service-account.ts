import type { KindRules } from '../definitions.ts';

/** The rules of ServiceAccount objects. */
export const serviceAccountRules: KindRules = { returnsDeletedObject: true };
