import type { KindRules } from '../definitions.ts';

/** The rules of ClusterRoleBinding objects. */
export const clusterRoleBindingRules: KindRules = {};
