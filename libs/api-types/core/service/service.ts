import { isIP } from 'node:net';
import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  validateDns1035Label,
} from '@binnacle/api-objects';
import type { KindRules } from '../../definitions/kind-rules.ts';
import type { Service, ServiceSpec } from '../../generated/core/v1.ts';
import { conditionsErrors } from '../../values/condition-validation.ts';
import { loadBalancerStatusErrors } from './load-balancer-status-validation.ts';
import { needsClusterIP, needsHealthCheckNodePort, readPorts } from './service-facts.ts';
import { serviceCells, serviceColumns } from './service-printing.ts';
import { serviceReservations } from './service-reservations.ts';
import { carryOverAllocations, dropInapplicableFields, normalizeClusterIPs } from './service-transitions.ts';
import { serviceErrors } from './service-validation.ts';

/** The rules of Service objects, without the allocation of addresses and ports. */
export const serviceRules: KindRules<Service> = {
  createOnUpdate: true,
  returnsDeletedObject: true,
  removedWith: { group: '', version: 'v1', resource: 'endpoints' },
  nameRule: validateDns1035Label,
  applyDefaults: applyServiceDefaults,
  prepareForCreate(object) {
    object.status = { loadBalancer: {} };
    normalizeClusterIPs(object.spec ?? {});
  },
  prepareForUpdate(object, old, subresource) {
    if (subresource !== '') return;
    const { spec = {} } = object;
    const { spec: before = {} } = old;
    carryOverAllocations(spec, before);
    normalizeClusterIPs(spec, before);
    dropInapplicableFields(spec, before);
    resetLoadBalancerStatus(object);
  },
  validate: serviceErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status'
      ? [
          ...loadBalancerStatusErrors(object.status?.loadBalancer ?? {}),
          ...conditionsErrors(object.status?.conditions ?? []),
        ]
      : serviceUpdateErrors(object.spec ?? {}, old.spec ?? {}),
  reservationsFor: serviceReservations,
  columns: serviceColumns,
  cells: serviceCells,
};

/** Only services of type LoadBalancer have a load balancer status. */
function resetLoadBalancerStatus(service: Service): void {
  if (service.spec?.type === 'LoadBalancer') return;
  service.status ??= {};
  service.status.loadBalancer = {};
}

const defaultAffinitySeconds = 10_800;

/** Applies the defaults of a service that depend on other fields; the proto declares simple defaults. */
function applyServiceDefaults({ spec = {} }: Service): void {
  applyAffinityDefaults(spec);
  for (const port of readPorts(spec)) {
    if (!port.targetPort && port.port !== undefined) port.targetPort = port.port;
  }
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') spec.externalTrafficPolicy ||= 'Cluster';
  if (needsClusterIP(spec)) spec.internalTrafficPolicy ||= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function applyAffinityDefaults(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  spec.sessionAffinityConfig ??= {};
  spec.sessionAffinityConfig.clientIP ??= {};
  spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= defaultAffinitySeconds;
}

const spec$ = fieldPath('spec');
const fixed = 'may not change once set';
const immutable = 'field is immutable';

/** Validates an update of a service: addresses, families, health check port and class are immutable. */
function serviceUpdateErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (needsClusterIP(old) && needsClusterIP(spec)) {
    errors.push(...fixedListErrors('clusterIPs', spec, old));
    // If the service has an address, a conflicting family is reported at the address.
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

/** The first value is immutable; the second may be added or removed, but not changed. */
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
