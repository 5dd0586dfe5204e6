import { isIP } from 'node:net';
import { type FieldError, fieldPath, forbiddenField, invalidField } from '@binnacle/api-objects';
import type { ServiceSpec } from '../../generated/core/v1.ts';
import { needsClusterIP, needsHealthCheckNodePort } from './service-facts.ts';

const spec$ = fieldPath('spec');
const fixed = 'may not change once set';
const immutable = 'field is immutable';

/** The findings about a change of a service: addresses, families, health-check port and class stay. */
export function serviceUpdateErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (needsClusterIP(old) && needsClusterIP(spec)) {
    errors.push(...fixedListErrors('clusterIPs', spec, old));
    // With an address, a family that moved away from it is a finding about the address.
    if (isIP(spec.clusterIPs?.[0] ?? '') === 0) errors.push(...fixedListErrors('ipFamilies', spec, old));
  }
  const healthCheck = old.healthCheckNodePort ?? 0;
  const keepsHealthCheck =
    needsHealthCheckNodePort(old) && needsHealthCheckNodePort(spec) && healthCheck !== 0;
  if (keepsHealthCheck && (spec.healthCheckNodePort ?? 0) !== healthCheck)
    errors.push(forbiddenField(spec$.child('healthCheckNodePort'), immutable));
  const staysLoadBalancer = old.type === 'LoadBalancer' && spec.type === 'LoadBalancer';
  if (staysLoadBalancer && (old.loadBalancerClass ?? '') !== (spec.loadBalancerClass ?? ''))
    errors.push(invalidField(spec$.child('loadBalancerClass'), spec.loadBalancerClass ?? null, immutable));
  return errors;
}

/** The first value stays for good; the second may come and go, but not change. */
function fixedListErrors(
  field: 'clusterIPs' | 'ipFamilies',
  spec: ServiceSpec,
  old: ServiceSpec,
): FieldError[] {
  const before = old[field] ?? [];
  const after = spec[field] ?? [];
  return [0, 1].flatMap(index => {
    const was = before[index];
    const is = after[index];
    if (was === undefined || was === is || (is === undefined && index === 1)) return [];
    return [invalidField(spec$.child(field).index(index), after, fixed)];
  });
}
