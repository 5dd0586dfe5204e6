import type { KindRules } from '../definitions.ts';

/** The rules of Role objects. */
export const roleRules: KindRules = {};
