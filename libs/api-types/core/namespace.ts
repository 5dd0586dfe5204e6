import type { KindRules } from '../definitions.ts';

/** The rules of Namespace objects. */
export const namespaceRules: KindRules = {};
