import { groups } from '@binnacle/api-names';
import type { StorageKey } from './keys.ts';

/**
 * Types that configure the control plane, including all types that admission follows: few objects, rarely written. Partition 0
 * carries only them, so that a service that follows nothing else never reads Pods, Events or Leases.
 */
export const controlTypes: ReadonlySet<string> = new Set([
  '/core/limitranges/',
  '/core/namespaces/',
  '/core/resourcequotas/',
  '/core/serviceaccounts/',
  '/core/services/',
  `/${groups.admissionregistration}/mutatingwebhookconfigurations/`,
  `/${groups.admissionregistration}/validatingadmissionpolicies/`,
  `/${groups.admissionregistration}/validatingadmissionpolicybindings/`,
  `/${groups.admissionregistration}/validatingwebhookconfigurations/`,
  `/${groups.apiextensions}/customresourcedefinitions/`,
  `/${groups.apiregistration}/apiservices/`,
  `/${groups.flowcontrol}/flowschemas/`,
  `/${groups.flowcontrol}/prioritylevelconfigurations/`,
  `/${groups.networking}/ingressclasses/`,
  `/${groups.node}/runtimeclasses/`,
  `/${groups.rbac}/clusterrolebindings/`,
  `/${groups.rbac}/clusterroles/`,
  `/${groups.rbac}/rolebindings/`,
  `/${groups.rbac}/roles/`,
  `/${groups.scheduling}/priorityclasses/`,
  `/${groups.storage}/storageclasses/`,
]);

/**
 * Returns the partition of the change feed that carries an object type: 0 for the control types, otherwise one of the others by
 * FNV-1a of the type prefix. With a single partition it is 0 for all types.
 *
 * Publisher and readers must compute the same partition for the lifetime of a topic: another layout requires another topic
 * (`feedTopicFromName` in libs/kafka).
 */
export function partitionOf(typePrefix: StorageKey | string, partitions: number): number {
  if (partitions === 1 || controlTypes.has(typePrefix)) return 0;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(typePrefix, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return 1 + ((hash >>> 0) % (partitions - 1));
}
