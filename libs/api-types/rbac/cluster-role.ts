import type { KindRules } from '../definitions.ts';

/** The rules of ClusterRole objects. */
export const clusterRoleRules: KindRules = {};
