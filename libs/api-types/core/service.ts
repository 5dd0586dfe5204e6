import type { KindRules } from '../definitions.ts';

/** The rules of Service objects. */
export const serviceRules: KindRules = { createOnUpdate: true, returnsDeletedObject: true };
