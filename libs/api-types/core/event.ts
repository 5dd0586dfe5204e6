import type { KindRules } from '../definitions.ts';

/** The rules of Event objects. */
export const eventRules: KindRules = { createOnUpdate: true };
