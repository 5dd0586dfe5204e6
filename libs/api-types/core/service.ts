import { type ApiObject, validateDns1035Label } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ensureObject } from '../values/json-access.ts';
import { conditionsErrors } from './condition-validation.ts';
import { loadBalancerStatusErrors } from './load-balancer-status-validation.ts';
import { claimsOfService } from './service-claims.ts';
import { applyServiceDefaults } from './service-defaults.ts';
import { specOf } from './service-facts.ts';
import { serviceCells, serviceColumns } from './service-printing.ts';
import { carryOverAllocations, dropInapplicableFields, normalizeClusterIPs } from './service-transitions.ts';
import { serviceUpdateErrors } from './service-update-validation.ts';
import { serviceErrors } from './service-validation.ts';

/** The rules of Service objects, but for the allocation of addresses and ports. */
export const serviceRules: KindRules = {
  createOnUpdate: true,
  returnsDeletedObject: true,
  nameRule: validateDns1035Label,
  applyDefaults: applyServiceDefaults,
  prepareForCreate(object) {
    object['status'] = { loadBalancer: {} };
    normalizeClusterIPs(specOf(object));
  },
  prepareForUpdate(object, old, subresource) {
    if (subresource !== '') return;
    carryOverAllocations(specOf(object), specOf(old));
    normalizeClusterIPs(specOf(object), specOf(old));
    dropInapplicableFields(specOf(object), specOf(old));
    resetLoadBalancerStatus(object);
  },
  validate: serviceErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status'
      ? [...loadBalancerStatusErrors(object), ...conditionsErrors(object)]
      : serviceUpdateErrors(specOf(object), specOf(old)),
  claimsOf: claimsOfService,
  columns: serviceColumns,
  cells: serviceCells,
};

/** Only services of type LoadBalancer have a load balancer to report on. */
function resetLoadBalancerStatus(object: ApiObject): void {
  if (specOf(object)['type'] !== 'LoadBalancer') ensureObject(object, 'status')['loadBalancer'] = {};
}
