import { equalJson } from '@binnacle/api-objects';
import type { Endpoint, EndpointPort, EndpointSlice } from '@binnacle/api-types/discovery/v1';
import type { AddressFamily, PodEndpoint } from './pod-endpoint.ts';

/** The most endpoints that this controller puts into a slice. */
export const endpointsPerSlice = 100;

/** The planned content of a slice. */
export interface SliceContent {
  readonly addressType: AddressFamily;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** The writes to the slices of a service. */
interface SlicePlan {
  readonly create: readonly SliceContent[];
  readonly update: readonly { readonly slice: EndpointSlice; readonly endpoints: readonly Endpoint[] }[];
  readonly remove: readonly EndpointSlice[];
  /** Slices that need no change. */
  readonly keep: readonly EndpointSlice[];
}

/**
 * Plans the slices of a service: each slice has one address family and one set of ports. An endpoint stays in its slice; new endpoints
 * fill slices with room before new slices are created. A family without endpoints has one empty slice.
 */
export function planSlices(
  desired: ReadonlyMap<AddressFamily, readonly PodEndpoint[]>,
  existing: readonly EndpointSlice[],
): SlicePlan {
  const groups = [...desired].flatMap(([family, endpoints]) => groupByPorts(family, endpoints));
  const plans = groups.map(group => {
    const own = existing.filter(slice => isOfGroup(slice, group));
    return planGroup(group, own);
  });
  const placed = new Set(existing.filter(slice => groups.some(group => isOfGroup(slice, group))));
  return {
    create: plans.flatMap(plan => plan.create),
    update: plans.flatMap(plan => plan.update),
    remove: [...existing.filter(slice => !placed.has(slice)), ...plans.flatMap(plan => plan.remove)],
    keep: plans.flatMap(plan => plan.keep),
  };
}

function groupByPorts(addressType: AddressFamily, endpoints: readonly PodEndpoint[]): SliceContent[] {
  if (endpoints.length === 0) return [{ addressType, ports: [], endpoints: [] }];
  const byPorts = Map.groupBy(endpoints, ({ ports }) => JSON.stringify(ports));
  return [...byPorts.values()].map(members => ({
    addressType,
    ports: members[0]?.ports ?? [],
    endpoints: members.map(createEndpoint),
  }));
}

function createEndpoint(endpoint: PodEndpoint): Endpoint {
  const { address, hostname, nodeName, targetRef, ready, serving, terminating } = endpoint;
  return {
    addresses: [address],
    conditions: { ready, serving, terminating },
    ...(hostname !== '' && { hostname }),
    ...(nodeName !== '' && { nodeName }),
    targetRef,
  };
}

function isOfGroup(slice: EndpointSlice, { addressType, ports }: SliceContent): boolean {
  return slice.addressType === addressType && equalJson(slice.ports ?? [], [...ports]);
}

function planGroup(
  { addressType, ports, endpoints }: SliceContent,
  slices: readonly EndpointSlice[],
): SlicePlan {
  const waiting = new Map(endpoints.map(endpoint => [endpointIdentity(endpoint), endpoint]));
  const filled = slices.map(slice => {
    const stay = (slice.endpoints ?? []).flatMap(endpoint => {
      const identity = endpointIdentity(endpoint);
      const wanted = waiting.get(identity);
      waiting.delete(identity);
      return wanted === undefined ? [] : [wanted];
    });
    return { slice, endpoints: stay };
  });
  const rest = [...waiting.values()];
  for (const { endpoints: held } of filled) {
    // An emptied slice is deleted, unless it is the only one to fill.
    const room = held.length === 0 && filled.length > 1 ? 0 : endpointsPerSlice - held.length;
    held.push(...rest.splice(0, Math.max(room, 0)));
  }
  const create: SliceContent[] = [];
  while (rest.length > 0 || (endpoints.length === 0 && slices.length + create.length === 0))
    create.push({ addressType, ports, endpoints: rest.splice(0, endpointsPerSlice) });
  const spare = filled.filter(({ endpoints: held }) => held.length === 0);
  // The slice that stays empty.
  if (endpoints.length === 0) spare.shift();
  const staying = filled.filter(entry => !spare.includes(entry));
  const isSame = ({ slice, endpoints: held }: (typeof filled)[number]) =>
    equalJson(slice.endpoints ?? [], held);
  return {
    create,
    update: staying.filter(entry => !isSame(entry)),
    remove: spare.map(({ slice }) => slice),
    keep: staying.filter(isSame).map(({ slice }) => slice),
  };
}

function endpointIdentity({ targetRef, addresses = [] }: Endpoint): string {
  return JSON.stringify([targetRef?.uid ?? '', addresses]);
}
