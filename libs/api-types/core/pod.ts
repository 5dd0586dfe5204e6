import type { KindRules } from '../definitions.ts';

/** The rules of Pod objects. */
export const podRules: KindRules = { returnsDeletedObject: true };
