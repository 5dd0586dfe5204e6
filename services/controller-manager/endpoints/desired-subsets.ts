import { readJson } from '@binnacle/api-objects';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '@binnacle/api-types/core/v1';
import type { PodEndpoint } from './pod-endpoint.ts';

/** The most addresses of an Endpoints object; ready ones take precedence. */
export const mostAddresses = 1000;

/**
 * Creates the subsets of an Endpoints object, one for each set of ports, in a stable order, without pods that are being deleted.
 */
export function desiredSubsets(endpoints: readonly PodEndpoint[]): EndpointSubset[] {
  const live = endpoints.filter(({ terminating }) => !terminating).toSorted(byAddress);
  const kept = live.toSorted((a, b) => Number(b.ready) - Number(a.ready)).slice(0, mostAddresses);
  const byPorts = Map.groupBy(kept.toSorted(byAddress), ({ ports }) => JSON.stringify(ports));
  return (
    [...byPorts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      // The key was written from ports.
      .map(([ports, members]) => ({
        ...createAddresses('addresses', members, true),
        ...createAddresses('notReadyAddresses', members, false),
        ...(ports !== '[]' && { ports: readJson(ports, false) as EndpointPort[] }),
      }))
  );
}

function createAddresses(
  field: 'addresses' | 'notReadyAddresses',
  members: readonly PodEndpoint[],
  ready: boolean,
): EndpointSubset {
  const addresses = members.filter(member => member.ready === ready).map(createAddress);
  return addresses.length === 0 ? {} : { [field]: addresses };
}

function createAddress({ address, hostname, nodeName, targetRef }: PodEndpoint): EndpointAddress {
  return {
    ip: address,
    ...(hostname !== '' && { hostname }),
    ...(nodeName !== '' && { nodeName }),
    targetRef,
  };
}

function byAddress(a: PodEndpoint, b: PodEndpoint): number {
  return endpointKey(a) < endpointKey(b) ? -1 : 1;
}

function endpointKey({ address, targetRef }: PodEndpoint): string {
  return `${address} ${targetRef.uid ?? ''}`;
}
