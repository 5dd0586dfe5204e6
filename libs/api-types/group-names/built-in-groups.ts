import { groups } from '@binnacle/api-names';
import { canonicalGroup } from './canonical-group.ts';

/** All groups with built-in types, whether served or not, in the order of discovery: the core group, then that of `/apis`. */
export const builtInGroups: readonly string[] = [
  '',
  groups.apiregistration,
  'apps',
  groups.events,
  groups.authentication,
  groups.authorization,
  'autoscaling',
  'batch',
  groups.certificates,
  groups.networking,
  'policy',
  groups.rbac,
  groups.storage,
  groups.admissionregistration,
  groups.apiextensions,
  groups.scheduling,
  groups.coordination,
  groups.node,
  groups.discovery,
  groups.flowcontrol,
];

const known: ReadonlySet<string> = new Set(builtInGroups);

/** Whether a group has built-in types, by its canonical name or an alias. */
export function isBuiltInGroup(group: string): boolean {
  return known.has(canonicalGroup(group));
}
