import { canonicalGroup } from './canonical-group.ts';

/** Every group that has built-in types, whether its versions are served or not. */
export const builtInGroups: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.cluster.io',
  'apiextensions.cluster.io',
  'apiregistration.cluster.io',
  'apps',
  'authentication.cluster.io',
  'authorization.cluster.io',
  'autoscaling',
  'batch',
  'certificates.cluster.io',
  'coordination.cluster.io',
  'discovery.cluster.io',
  'events.cluster.io',
  'flowcontrol.apiserver.cluster.io',
  'networking.cluster.io',
  'node.cluster.io',
  'policy',
  'rbac.authorization.cluster.io',
  'scheduling.cluster.io',
  'storage.cluster.io',
]);

/** Whether a group has built-in types, under this name or as an alias of it. */
export function isBuiltInGroup(group: string): boolean {
  return builtInGroups.has(canonicalGroup(group));
}
