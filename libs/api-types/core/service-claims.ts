import { isIP } from 'node:net';
import type { ApiObject } from '@binnacle/api-objects';
import { asText, asTexts } from '../json-access.ts';
import { nodePortsOf, specOf } from './service-facts.ts';

/** The claim of a cluster IP: no two services hold the same. */
export function clusterIPClaim(address: string): string {
  return `/_claims/services/cluster-ip/${canonicalAddress(address)}`;
}

/** The claim of a node port for a protocol: no two services hold the same. */
export function nodePortClaim(protocol: string, port: number): string {
  return `/_claims/services/node-port/${protocol.toLowerCase()}/${port}`;
}

/** The claims of a service: its cluster IPs, its node ports and its health-check port. */
export function claimsOfService(object: ApiObject): string[] {
  const spec = specOf(object);
  const addresses = new Set([asText(spec['clusterIP']), ...asTexts(spec['clusterIPs'])]);
  const claims = [...addresses].filter(address => isIP(address) !== 0).map(clusterIPClaim);
  for (const { protocol, port } of nodePortsOf(spec)) claims.push(nodePortClaim(protocol, port));
  return [...new Set(claims)];
}

/** One spelling for each address: IPv6 has many. */
function canonicalAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}
