import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** One pod behind an address. */
export interface ResolvedAddress {
  /** `10.0.0.7:7001` or `[::1]:7001`. */
  readonly target: string;
  /** The host part of the address, which the pod's certificate must be valid for. */
  readonly host: string;
}

/** Looks up all IP addresses of a name. */
export type LookupAll = (host: string) => Promise<readonly string[]>;

/** Resolves a name as the system does, including `/etc/hosts`. */
async function systemLookup(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Splits `host:port` or `[v6]:port`; throws a `TypeError` on anything else. */
export function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65535) throw new TypeError(`"${address}" is not host:port`);
  return { host, port };
}

/**
 * Returns all pods behind the given addresses, without duplicates.
 *
 * A name that cannot be resolved is skipped if other addresses are found, else its error is thrown.
 */
export async function resolveAddresses(
  addresses: readonly string[],
  lookupAll: LookupAll = systemLookup,
): Promise<ResolvedAddress[]> {
  const results = await Promise.allSettled(addresses.map(address => resolveOne(address, lookupAll)));
  const found = results.flatMap(result => (result.status === 'fulfilled' ? result.value : []));
  const failure = results.find(result => result.status === 'rejected');
  if (found.length === 0 && failure) throw failure.reason;
  return [...new Map(found.map(resolved => [resolved.target, resolved])).values()];
}

async function resolveOne(address: string, lookupAll: LookupAll): Promise<ResolvedAddress[]> {
  const { host, port } = parseAddress(address);
  const hosts = isIP(host) ? [host] : await lookupAll(host);
  const distinct = host === 'localhost' ? preferIPv4(hosts) : hosts;
  return distinct.map(ip => ({ target: `${isIP(ip) === 6 ? `[${ip}]` : ip}:${port}`, host }));
}

/** The IPv4 and IPv6 addresses of `localhost` are the same pod, or only one of them is in use. */
function preferIPv4(hosts: readonly string[]): readonly string[] {
  const ipv4 = hosts.filter(host => isIP(host) === 4);
  return (ipv4.length > 0 ? ipv4 : hosts).slice(0, 1);
}
