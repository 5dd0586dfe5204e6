import { isIP } from 'node:net';
import { canonicalIpAddress } from '@binnacle/api-objects';
import type { Service } from '../../generated/core/v1.ts';
import { collectNodePorts } from './service-facts.ts';

/** The prefix of the reservations of cluster IPs; the address follows, in canonical form. */
export const clusterIPReservations = '/_claims/services/cluster-ip/';

/** The prefix of the reservations of node ports; the number follows. */
export const nodePortReservations = '/_claims/services/node-port/';

/** The reservations of a service: its cluster IPs, its node ports and its health-check port, whatever their protocols. */
export function serviceReservations({ spec = {} }: Service): string[] {
  const addresses = [spec.clusterIP ?? '', ...(spec.clusterIPs ?? [])].map(canonicalIpAddress);
  const reservations = addresses
    .filter(address => isIP(address) !== 0)
    .map(address => `${clusterIPReservations}${address}`);
  for (const { port } of collectNodePorts(spec)) reservations.push(`${nodePortReservations}${port}`);
  return [...new Set(reservations)];
}
