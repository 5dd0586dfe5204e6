import {
  type ApiObject,
  canonicalIpAddress,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonValue,
} from '@binnacle/api-objects';
import type { Service, ServicePort, ServiceSpec } from '../../generated/core/v1.ts';
import { ipFamilyFromAddress } from '../addresses/ip-addresses.ts';
import {
  collectNodePorts,
  isHeadless,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheckNodePort,
  readPorts,
} from './service-facts.ts';
import { hasKnownFamilies, type IpFamily, readFamilies, settleFamilies } from './service-families.ts';
import { clusterIPReservations, nodePortReservations } from './service-reservations.ts';

/** One value to allocate for a service. */
export interface AllocationNeed {
  /** The source of the value: the addresses of a family, or the node ports. */
  readonly from: IpFamily | 'node-ports';
  /** The requested value in canonical form; undefined: any value. */
  readonly asked: string | undefined;
  /** The path of the field, and its value, for errors. */
  readonly path: FieldPath;
  readonly shown: JsonValue;
  /** Returns the storage key of the value's reservation. */
  reservationKey(value: string): string;
  /** Sets the value in the service; only called if none is requested. */
  assign(value: string): void;
}

/** The values to allocate for a service, in order; or the errors that prevent it. */
interface ServiceAllocation {
  readonly findings: readonly FieldError[];
  readonly needs: readonly AllocationNeed[];
}

const spec$ = fieldPath('spec');
const nothing: ServiceAllocation = { findings: [], needs: [] };

/**
 * Determines the values to allocate for a service that it does not hold yet: addresses of its families, node ports, a health
 * check port. Sets ipFamilies and ipFamilyPolicy in `object`; `cluster` are the IP families of the cluster, the default one
 * first. A service keeps the values that it had before the update (`old`). Invalid values, which validation refuses, need no
 * allocation.
 */
export function serviceAllocation(
  object: ApiObject,
  old: ApiObject | undefined,
  cluster: readonly IpFamily[],
): ServiceAllocation {
  const { spec = {} }: Service = object;
  if (!needsClusterIP(spec) || !hasKnownFamilies(spec)) return nothing;
  const { spec: oldSpec = {} }: Partial<Service> = old ?? {};
  const before = needsClusterIP(oldSpec) ? oldSpec : undefined;
  const findings = settleFamilies(spec, before, cluster);
  if (findings.length > 0) return { findings, needs: [] };
  const healthCheck = healthCheckNeeds(spec, oldSpec);
  if (healthCheck.findings.length > 0) return healthCheck;
  const others = [...addressNeeds(spec, before ?? {}), ...nodePortNeeds(spec, oldSpec)];
  return { findings: [], needs: [...others, ...healthCheck.needs] };
}

function addressNeeds(spec: ServiceSpec, old: ServiceSpec): AllocationNeed[] {
  if (isHeadless(spec)) return [];
  const held = old.clusterIPs ?? [];
  const addresses = spec.clusterIPs ?? [];
  const needs: AllocationNeed[] = [];
  for (const [index, family] of readFamilies(spec).entries()) {
    const address = addresses[index];
    const before = held[index];
    // An omitted address is kept; validation refuses a changed one.
    if (address === undefined && before !== undefined && ipFamilyFromAddress(before) === family)
      setAddress(spec, index, before);
    else if (address === undefined || before === undefined)
      needs.push(addressNeed(spec, { index, family, asked: address }));
  }
  return needs;
}

function addressNeed(
  spec: ServiceSpec,
  { index, family, asked }: { index: number; family: IpFamily; asked: string | undefined },
): AllocationNeed {
  return {
    from: family,
    asked: asked === undefined ? undefined : canonicalIpAddress(asked),
    path: spec$.child('clusterIPs'),
    shown: spec.clusterIPs ?? null,
    reservationKey: value => `${clusterIPReservations}${value}`,
    assign: value => setAddress(spec, index, value),
  };
}

function setAddress(spec: ServiceSpec, index: number, address: string): void {
  const addresses = [...(spec.clusterIPs ?? [])];
  addresses[index] = address;
  spec.clusterIPs = addresses;
  if (index === 0) spec.clusterIP = address;
}

function nodePortNeeds(spec: ServiceSpec, old: ServiceSpec): AllocationNeed[] {
  if (!mayHaveNodePorts(spec)) return [];
  const held = new Set(collectNodePorts(old).map(({ port }) => port));
  const mayPick = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false;
  const ports = readPorts(spec);
  if (mayPick) shareAmongProtocols(ports);
  const begun = new Set<number>();
  return ports.flatMap((port, index) => {
    const path = spec$.child('ports').index(index).child('nodePort');
    const nodePort = port.nodePort ?? 0;
    if (nodePort !== 0) return held.has(nodePort) ? [] : [nodePortNeed(path, nodePort, () => {})];
    const number = port.port ?? 0;
    if (!mayPick || begun.has(number)) return [];
    begun.add(number);
    const unset = ports.filter(other => (other.port ?? 0) === number && !other.nodePort);
    return [
      nodePortNeed(path, 0, value => {
        for (const other of unset) other.nodePort = value;
      }),
    ];
  });
}

/** Ports with the same number and different protocols share a node port. */
function shareAmongProtocols(ports: readonly ServicePort[]): void {
  for (const port of ports) {
    if (port.nodePort) continue;
    const same = ports.filter(other => other.port === port.port);
    const chosen = same.find(other => other.nodePort);
    const isFree = same.every(other => other === port || other.protocol !== port.protocol || !other.nodePort);
    if (chosen?.nodePort && isFree) port.nodePort = chosen.nodePort;
  }
}

function healthCheckNeeds(spec: ServiceSpec, old: ServiceSpec): ServiceAllocation {
  if (!needsHealthCheckNodePort(spec)) return nothing;
  const path = spec$.child('healthCheckNodePort');
  const asked = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheckNodePort(old) && old.healthCheckNodePort) return nothing;
  if (asked !== 0 && readPorts(spec).some(port => port.nodePort === asked))
    return { findings: [invalidField(path, asked, 'a port of this service is allocated there')], needs: [] };
  const assign = (value: number) => {
    spec.healthCheckNodePort = value;
  };
  return { findings: [], needs: [nodePortNeed(path, asked, assign)] };
}

function nodePortNeed(path: FieldPath, asked: number, assign: (value: number) => void): AllocationNeed {
  return {
    from: 'node-ports',
    asked: asked === 0 ? undefined : String(asked),
    path,
    shown: asked,
    reservationKey: value => `${nodePortReservations}${value}`,
    assign: value => assign(Number(value)),
  };
}
