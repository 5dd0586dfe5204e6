import type { JsonValue } from '@binnacle/api-objects';
import { loadBalancerStatusErrors } from '../core/service/load-balancer-status-validation.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Ingress } from '../generated/networking/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { ingressClassConflictErrors, ingressErrors } from './ingress-validation.ts';

/** The rules of Ingress objects. */
export const ingressRules: KindRules<Ingress> = {
  generation: true,
  // The first group of the Ingress API, which kube-apiserver reports in errors.
  findingsGroup: 'extensions',
  prepareForCreate(object) {
    object.status = { loadBalancer: {} };
  },
  validate: ingressErrors,
  validateCreate: ingressClassConflictErrors,
  validateUpdate: (object, _old, subresource) =>
    subresource === 'status' ? loadBalancerStatusErrors(object.status?.loadBalancer ?? {}) : [],
  columns: [
    nameColumn,
    column('Class', 'The class, which says who serves the ingress.'),
    column('Hosts', 'The hosts that the rules are for.'),
    column('Address', 'The addresses of the load balancer.'),
    column('Ports', 'The ports that clients connect to.'),
    ageColumn,
  ],
  cells,
};

const shownHosts = 3;

function cells(object: Ingress, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  return [
    nameCell(object),
    typeof spec.ingressClassName === 'string' ? spec.ingressClassName : '<none>',
    hostsCell(object),
    addressesCell(object),
    (spec.tls ?? []).length > 0 ? '80, 443' : '80',
    ageCell(object, now),
  ];
}

function hostsCell(object: Ingress): string {
  const rules = object.spec?.rules ?? [];
  const hosts = rules.map(rule => rule.host ?? '').filter(host => host !== '');
  if (hosts.length === 0) return '*';
  const shown = hosts.slice(0, shownHosts).join(',');
  return hosts.length > shownHosts ? `${shown} + ${hosts.length - shownHosts} more...` : shown;
}

function addressesCell(object: Ingress): string {
  const loadBalancer = object.status?.loadBalancer;
  const addresses = (loadBalancer?.ingress ?? []).map(ingress => ingress.ip || (ingress.hostname ?? ''));
  return [...new Set(addresses)].filter(address => address !== '').join(',');
}
