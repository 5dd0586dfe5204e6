import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import { loadBalancerStatusErrors } from '../core/load-balancer-status-validation.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { ingressClassConflictErrors, ingressErrors } from './ingress-validation.ts';

/** The rules of Ingress objects. */
export const ingressRules: KindRules = {
  generation: true,
  // The group that ingresses were first served in.
  findingsGroup: 'extensions',
  prepareForCreate(object) {
    object['status'] = { loadBalancer: {} };
  },
  validate: ingressErrors,
  validateCreate: ingressClassConflictErrors,
  validateUpdate: (object, _old, subresource) =>
    subresource === 'status' ? loadBalancerStatusErrors(object) : [],
  columns: [
    nameColumn,
    column('Class', 'The class, which says who serves the ingress.'),
    column('Hosts', 'The hosts that the rules are for.'),
    column('Address', 'Where clients reach the load balancer.'),
    column('Ports', 'The ports that clients connect to.'),
    ageColumn,
  ],
  cells,
};

const shownHosts = 3;

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  return [
    nameOf(object),
    typeof spec['ingressClassName'] === 'string' ? spec['ingressClassName'] : '<none>',
    hostsOf(object),
    addressesOf(object),
    asObjects(spec['tls']).length > 0 ? '80, 443' : '80',
    ageOf(object, now),
  ];
}

function hostsOf(object: ApiObject): string {
  const rules = asObjects(specOf(object)['rules']);
  const hosts = rules.map(rule => asText(rule['host'])).filter(host => host !== '');
  if (hosts.length === 0) return '*';
  const shown = hosts.slice(0, shownHosts).join(',');
  return hosts.length > shownHosts ? `${shown} + ${hosts.length - shownHosts} more...` : shown;
}

function addressesOf(object: ApiObject): string {
  const loadBalancer = asObject(asObject(object['status'])?.['loadBalancer']);
  const addresses = asObjects(loadBalancer?.['ingress']).map(
    ingress => asText(ingress['ip']) || asText(ingress['hostname']),
  );
  return [...new Set(addresses)].filter(address => address !== '').join(',');
}
