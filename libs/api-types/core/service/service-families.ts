import { equalJson, type FieldError, fieldPath, invalidField } from '@binnacle/api-objects';
import type { ServiceSpec } from '../../generated/core/v1.ts';
import { ipFamilyFromAddress } from '../addresses/ip-addresses.ts';
import { clusterIPErrors } from './cluster-ip-validation.ts';
import { isHeadless, needsClusterIP } from './service-facts.ts';

/** An IP family as in the Service API. */
export type IpFamily = 'IPv4' | 'IPv6';

const spec$ = fieldPath('spec');
const policies = ['SingleStack', 'PreferDualStack', 'RequireDualStack'];

/** Whether ipFamilies and ipFamilyPolicy only contain valid values; others cannot be processed. */
export function hasKnownFamilies(spec: ServiceSpec): boolean {
  const policy = spec.ipFamilyPolicy ?? '';
  return (spec.ipFamilies ?? []).every(isFamily) && (policy === '' || policies.includes(policy));
}

/**
 * Determines the IP families of a service: unset fields are set from the requested addresses, the policy, and the families of the
 * cluster, whose first one is the default. Modifies `spec`, and returns errors for values that contradict each other or the
 * cluster. `old` is the spec before an update of a service with addresses.
 */
export function settleFamilies(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  cluster: readonly IpFamily[],
): FieldError[] {
  if (old !== undefined && keepsFamilies(spec, old)) return [];
  if (old !== undefined && !wantsTwo(spec)) dropSecondary(spec, old);
  const contradictions = clusterIPErrors(spec);
  if (contradictions.length > 0) return contradictions;
  const errors = [...inferFamilies(spec, cluster), ...secondaryErrors(spec)];
  if (errors.length > 0) return errors;
  if (isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0) {
    settleWithoutSelector(spec, cluster);
    return [];
  }
  const unavailable = availabilityErrors(spec, cluster);
  if (unavailable.length === 0) settle(spec, cluster);
  return unavailable;
}

/** Returns the families of a completed spec. */
export function readFamilies(spec: ServiceSpec): IpFamily[] {
  return (spec.ipFamilies ?? []).filter(isFamily);
}

function isFamily(word: string): word is IpFamily {
  return word === 'IPv4' || word === 'IPv6';
}

function wantsTwo(spec: ServiceSpec): boolean {
  return spec.ipFamilyPolicy === 'PreferDualStack' || spec.ipFamilyPolicy === 'RequireDualStack';
}

/**
 * Whether an update leaves addresses, families and policy unchanged: the service then keeps them, even if the families of the
 * cluster have changed.
 */
function keepsFamilies(spec: ServiceSpec, old: ServiceSpec): boolean {
  if (!needsClusterIP(old) || (old.clusterIPs ?? []).length === 0) return false;
  return (
    equalJson(spec.clusterIPs, old.clusterIPs) &&
    equalJson(spec.ipFamilies, old.ipFamilies) &&
    spec.ipFamilyPolicy === old.ipFamilyPolicy
  );
}

/** A change to a single family drops the secondary values unless the client changed them. */
function dropSecondary(spec: ServiceSpec, old: ServiceSpec): void {
  if (!wantsTwo(old)) return;
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (equalJson(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = clusterIPs.slice(0, 1);
  if (equalJson(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = ipFamilies.slice(0, 1);
}

function inferFamilies(spec: ServiceSpec, cluster: readonly IpFamily[]): FieldError[] {
  const addresses = spec.clusterIPs ?? [];
  if (addresses[0] === 'None') return [];
  const families = readFamilies(spec);
  for (const [index, address] of addresses.entries()) {
    if (index < families.length) continue;
    const family = ipFamilyFromAddress(address);
    if (!cluster.includes(family))
      return [
        invalidField(
          spec$.child('clusterIPs').index(index),
          addresses,
          `the cluster has no ${family} addresses`,
        ),
      ];
    families.push(family);
  }
  if (families.length > 0) spec.ipFamilies = families;
  return [];
}

/** A service without a policy has a single family. */
function secondaryErrors(spec: ServiceSpec): FieldError[] {
  if (wantsTwo(spec)) return [];
  return (['clusterIPs', 'ipFamilies'] as const)
    .filter(field => (spec[field] ?? []).length > 1)
    .map(field =>
      invalidField(
        spec$.child('ipFamilyPolicy'),
        spec.ipFamilyPolicy ?? null,
        `must be RequireDualStack or PreferDualStack when \`${field}\` has two values`,
      ),
    );
}

/** The server allocates no addresses for a headless service without selector, so its families may be missing in the cluster. */
function settleWithoutSelector(spec: ServiceSpec, [first = 'IPv4']: readonly IpFamily[]): void {
  const families = readFamilies(spec);
  if (families.length === 0) families.push(first);
  const isSingle = spec.ipFamilyPolicy === 'SingleStack';
  if (families.length === 1 && !isSingle) families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  spec.ipFamilies = families;
  spec.ipFamilyPolicy = spec.ipFamilyPolicy || 'RequireDualStack';
}

function availabilityErrors(spec: ServiceSpec, cluster: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack' && cluster.length < 2)
    errors.push(
      invalidField(
        spec$.child('ipFamilyPolicy'),
        'RequireDualStack',
        `the cluster has ${cluster[0]} addresses only`,
      ),
    );
  for (const [index, family] of readFamilies(spec).entries())
    if (!cluster.includes(family))
      errors.push(
        invalidField(
          spec$.child('ipFamilies').index(index),
          family,
          `the cluster has no ${family} addresses`,
        ),
      );
  return errors;
}

function settle(spec: ServiceSpec, cluster: readonly IpFamily[]): void {
  const families = readFamilies(spec);
  if (families.length === 0) families.push(...cluster.slice(0, 1));
  spec.ipFamilyPolicy = spec.ipFamilyPolicy || 'SingleStack';
  if (wantsTwo(spec) && families.length === 1)
    families.push(...cluster.filter(family => family !== families[0]));
  spec.ipFamilies = families;
}
