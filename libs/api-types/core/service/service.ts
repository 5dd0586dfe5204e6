import { validateDns1035Label } from '@binnacle/api-objects';
import type { KindRules } from '../../definitions/definitions.ts';
import type { Service } from '../../generated/core/v1.ts';
import { conditionsErrors } from '../../values/condition-validation.ts';
import { loadBalancerStatusErrors } from './load-balancer-status-validation.ts';
import { applyServiceDefaults } from './service-defaults.ts';
import { serviceCells, serviceColumns } from './service-printing.ts';
import { serviceReservations } from './service-reservations.ts';
import { carryOverAllocations, dropInapplicableFields, normalizeClusterIPs } from './service-transitions.ts';
import { serviceUpdateErrors } from './service-update-validation.ts';
import { serviceErrors } from './service-validation.ts';

/** The rules of Service objects, but for the allocation of addresses and ports. */
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

/** Only services of type LoadBalancer have a load balancer to report on. */
function resetLoadBalancerStatus(service: Service): void {
  if (service.spec?.type === 'LoadBalancer') return;
  service.status ??= {};
  service.status.loadBalancer = {};
}
