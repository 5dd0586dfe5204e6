import { copyJson, equalJson, type JsonValue } from '@binnacle/api-objects';
import type { ServiceSpec } from '../../generated/core/v1.ts';
import { mayHaveNodePorts, needsClusterIP, needsHealthCheckNodePort, readPorts } from './service-facts.ts';

/**
 * Aligns clusterIP and clusterIPs if the client changed one of them: the list follows the single field if the client set or
 * changed only that. Contradictions are left for validation.
 */
export function normalizeClusterIPs(spec: ServiceSpec, old?: ServiceSpec): void {
  const single = spec.clusterIP ?? '';
  const list = spec.clusterIPs ?? [];
  if (!old) {
    if (single !== '' && list.length === 0) spec.clusterIPs = [single];
    return;
  }
  const oldSingle = old.clusterIP ?? '';
  const oldList = old.clusterIPs ?? [];
  if (single === oldSingle) {
    if (list.length === 0 && oldList.length > 0) spec.clusterIPs = [...oldList];
    return;
  }
  // An unchanged list comes from a client that only knows the single field.
  if (list.length > 0 && !equalJson(list, oldList)) return;
  if (single === '') delete spec.clusterIPs;
  else spec.clusterIPs = [single];
}

/** Restores allocated values that the client omitted: a client need not know them to update a service. */
export function carryOverAllocations(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(spec) && needsClusterIP(old)) carryOverAddresses(spec, old);
  // Existing node ports are kept even if new ones are disabled.
  if (mayHaveNodePorts(spec) && mayHaveNodePorts(old)) carryOverNodePorts(spec, old);
  if (
    needsHealthCheckNodePort(spec) &&
    needsHealthCheckNodePort(old) &&
    (spec.healthCheckNodePort ?? 0) === 0
  )
    copyField(spec, old, 'healthCheckNodePort');
}

function carryOverAddresses(spec: ServiceSpec, old: ServiceSpec): void {
  const list = spec.clusterIPs ?? [];
  if ((spec.clusterIP ?? '') === '' && (list.length === 0 || equalJson(list, old.clusterIPs)))
    copyField(spec, old, 'clusterIP');
  if (list.length === 0 && spec.clusterIP === old.clusterIP) copyField(spec, old, 'clusterIPs');
  if ((spec.ipFamilies ?? []).length === 0) copyField(spec, old, 'ipFamilies');
  if ((spec.ipFamilyPolicy ?? '') === '') copyField(spec, old, 'ipFamilyPolicy');
}

/** Ports are matched by name; a node port that the client assigned to another port is not reused. */
function carryOverNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const used = new Set(readPorts(spec).map(port => port.nodePort ?? 0));
  const oldByName = new Map(readPorts(old).map(port => [port.name ?? '', port.nodePort ?? 0]));
  for (const port of readPorts(spec)) {
    const previous = oldByName.get(port.name ?? '') ?? 0;
    if ((port.nodePort ?? 0) !== 0 || previous === 0 || used.has(previous)) continue;
    port.nodePort = previous;
    used.add(previous);
  }
}

/** A field that only applies to certain types: it is removed by a change of type unless the client changed it too. */
interface TypeDependentField {
  readonly fields: readonly (keyof ServiceSpec)[];
  readonly applies: (spec: ServiceSpec) => boolean;
}

const typeDependentFields: readonly TypeDependentField[] = [
  { fields: ['clusterIP', 'clusterIPs'], applies: needsClusterIP },
  { fields: ['ipFamilies'], applies: needsClusterIP },
  { fields: ['ipFamilyPolicy'], applies: needsClusterIP },
  { fields: ['internalTrafficPolicy'], applies: needsClusterIP },
  { fields: ['healthCheckNodePort'], applies: needsHealthCheckNodePort },
  { fields: ['allocateLoadBalancerNodePorts'], applies: isLoadBalancer },
  { fields: ['loadBalancerClass'], applies: isLoadBalancer },
  { fields: ['externalTrafficPolicy'], applies: mayHaveNodePorts },
];

/** Removes fields that do not apply to the new type, unless the client changed them. */
export function dropInapplicableFields(spec: ServiceSpec, old: ServiceSpec): void {
  for (const { fields, applies } of typeDependentFields) {
    const isStale =
      applies(old) && !applies(spec) && fields.every(field => equalJson(spec[field], old[field]));
    if (isStale) for (const field of fields) delete spec[field];
  }
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec) && hasNoNewNodePort(spec, old))
    for (const port of readPorts(spec)) delete port.nodePort;
}

function hasNoNewNodePort(spec: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set(readPorts(old).map(port => port.nodePort ?? 0));
  return readPorts(spec).every(port => {
    const nodePort = port.nodePort ?? 0;
    return nodePort === 0 || before.has(nodePort);
  });
}

function isLoadBalancer(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer';
}

function copyField(spec: ServiceSpec, old: ServiceSpec, field: keyof ServiceSpec): void {
  const value = old[field];
  if (value !== undefined) Object.assign(spec, { [field]: copyJson<JsonValue>(value) });
}
