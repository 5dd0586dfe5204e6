import { copyJson, equalJson, type JsonObject } from '@binnacle/api-objects';
import { asNumber, asText, asTexts } from '../values/json-access.ts';
import {
  isExternallyAccessible,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheckNodePort,
  portsOf,
} from './service-facts.ts';

/**
 * Keeps clusterIP and clusterIPs in step where the client changed one of the two: the list follows the
 * single field if the client set only that, or changed only that. What contradicts itself stays, for
 * validation to refuse.
 */
export function normalizeClusterIPs(spec: JsonObject, old?: JsonObject): void {
  const single = asText(spec['clusterIP']);
  const list = asTexts(spec['clusterIPs']);
  if (!old) {
    if (single !== '' && list.length === 0) spec['clusterIPs'] = [single];
    return;
  }
  const oldSingle = asText(old['clusterIP']);
  const oldList = asTexts(old['clusterIPs']);
  if (single === oldSingle) {
    if (list.length === 0 && oldList.length > 0) spec['clusterIPs'] = [...oldList];
    return;
  }
  // An untouched list is a client's that knows only the single field.
  if (list.length > 0 && !equalJson(list, oldList)) return;
  if (single === '') delete spec['clusterIPs'];
  else spec['clusterIPs'] = [single];
}

/** Fills in what was allocated before and the client left out: a client need not know it to update a service. */
export function carryOverAllocations(spec: JsonObject, old: JsonObject): void {
  if (needsClusterIP(spec) && needsClusterIP(old)) carryOverAddresses(spec, old);
  // Not to ask for new node ports is no reason to take those away that are there.
  if (mayHaveNodePorts(spec) && mayHaveNodePorts(old)) carryOverNodePorts(spec, old);
  if (
    needsHealthCheckNodePort(spec) &&
    needsHealthCheckNodePort(old) &&
    asNumber(spec['healthCheckNodePort']) === 0
  )
    copyField(spec, old, 'healthCheckNodePort');
}

function carryOverAddresses(spec: JsonObject, old: JsonObject): void {
  const list = asTexts(spec['clusterIPs']);
  if (asText(spec['clusterIP']) === '' && (list.length === 0 || equalJson(list, old['clusterIPs'])))
    copyField(spec, old, 'clusterIP');
  if (list.length === 0 && spec['clusterIP'] === old['clusterIP']) copyField(spec, old, 'clusterIPs');
  if (asTexts(spec['ipFamilies']).length === 0) copyField(spec, old, 'ipFamilies');
  if (asText(spec['ipFamilyPolicy']) === '') copyField(spec, old, 'ipFamilyPolicy');
}

/** Ports are matched by name; a node port that the client moved to another port is not given out twice. */
function carryOverNodePorts(spec: JsonObject, old: JsonObject): void {
  const used = new Set(portsOf(spec).map(port => asNumber(port['nodePort'])));
  const oldByName = new Map(portsOf(old).map(port => [asText(port['name']), asNumber(port['nodePort'])]));
  for (const port of portsOf(spec)) {
    const previous = oldByName.get(asText(port['name'])) ?? 0;
    if (asNumber(port['nodePort']) !== 0 || previous === 0 || used.has(previous)) continue;
    port['nodePort'] = previous;
    used.add(previous);
  }
}

/** A field that makes sense for some types only: it goes away with a change of type, unless the client changed it too. */
interface TypeDependentField {
  readonly fields: readonly string[];
  readonly applies: (spec: JsonObject) => boolean;
}

const typeDependentFields: readonly TypeDependentField[] = [
  { fields: ['clusterIP', 'clusterIPs'], applies: needsClusterIP },
  { fields: ['ipFamilies'], applies: needsClusterIP },
  { fields: ['ipFamilyPolicy'], applies: needsClusterIP },
  { fields: ['internalTrafficPolicy'], applies: needsClusterIP },
  { fields: ['healthCheckNodePort'], applies: needsHealthCheckNodePort },
  { fields: ['allocateLoadBalancerNodePorts'], applies: isLoadBalancer },
  { fields: ['loadBalancerClass'], applies: isLoadBalancer },
  { fields: ['externalTrafficPolicy'], applies: isExternallyAccessible },
];

/** Drops what no longer applies after a change of type, where the client left it as it was. */
export function dropInapplicableFields(spec: JsonObject, old: JsonObject): void {
  for (const { fields, applies } of typeDependentFields) {
    const isStale =
      applies(old) && !applies(spec) && fields.every(field => equalJson(spec[field], old[field]));
    if (isStale) for (const field of fields) delete spec[field];
  }
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec) && hasNoNewNodePort(spec, old))
    for (const port of portsOf(spec)) delete port['nodePort'];
}

function hasNoNewNodePort(spec: JsonObject, old: JsonObject): boolean {
  const before = new Set(portsOf(old).map(port => asNumber(port['nodePort'])));
  return portsOf(spec).every(port => {
    const nodePort = asNumber(port['nodePort']);
    return nodePort === 0 || before.has(nodePort);
  });
}

function isLoadBalancer(spec: JsonObject): boolean {
  return spec['type'] === 'LoadBalancer';
}

function copyField(spec: JsonObject, old: JsonObject, field: string): void {
  if (old[field] !== undefined) spec[field] = copyJson(old[field]);
}
