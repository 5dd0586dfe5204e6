import { isIP } from 'node:net';
import { canonicalIpAddress } from '@binnacle/api-objects';
import type { Service } from '../../generated/core/v1.ts';
import { nodePortsOf } from './service-facts.ts';

/** What the claims of cluster IPs begin with; the address follows, in canonical form. */
export const clusterIPClaims = '/_claims/services/cluster-ip/';

/** What the claims of node ports begin with; the number follows. */
export const nodePortClaims = '/_claims/services/node-port/';

/** The claims of a service: its cluster IPs, its node ports and its health-check port, whatever their protocols. */
export function claimsOfService({ spec = {} }: Service): string[] {
  const addresses = [spec.clusterIP ?? '', ...(spec.clusterIPs ?? [])].map(canonicalIpAddress);
  const claims = addresses
    .filter(address => isIP(address) !== 0)
    .map(address => `${clusterIPClaims}${address}`);
  for (const { port } of nodePortsOf(spec)) claims.push(`${nodePortClaims}${port}`);
  return [...new Set(claims)];
}
