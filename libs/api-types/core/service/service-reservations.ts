import { isIP } from 'node:net';
import { canonicalIpAddress } from '@binnacle/api-objects';
import type { Service } from '../../generated/core/v1.ts';
import { collectNodePorts } from './service-facts.ts';

/** The prefix of cluster IP reservations, followed by the canonical address. */
export const clusterIPReservations = '/_claims/services/cluster-ip/';

/** The prefix of node port reservations, followed by the number. */
export const nodePortReservations = '/_claims/services/node-port/';

/** Returns the reservations of a service: its cluster IPs, node ports and health check port, regardless of their protocols. */
export function serviceReservations({ spec = {} }: Service): string[] {
  const addresses = [spec.clusterIP ?? '', ...(spec.clusterIPs ?? [])].map(canonicalIpAddress);
  const reservations = addresses
    .filter(address => isIP(address) !== 0)
    .map(address => `${clusterIPReservations}${address}`);
  for (const { port } of collectNodePorts(spec)) reservations.push(`${nodePortReservations}${port}`);
  return [...new Set(reservations)];
}
