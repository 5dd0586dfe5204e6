import type { KindRules } from '../definitions.ts';

/** The rules of RoleBinding objects. */
export const roleBindingRules: KindRules = {};
