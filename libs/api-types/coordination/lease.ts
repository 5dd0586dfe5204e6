import type { KindRules } from '../definitions.ts';

/** The rules of Lease objects. */
export const leaseRules: KindRules = { unconditionalUpdate: false, createOnUpdate: true };
