import type { KindRules } from '../definitions.ts';

/** The rules of Secret objects. */
export const secretRules: KindRules = {};
