import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** One pod that an address stands for. */
export interface ResolvedAddress {
  /** `10.0.0.7:7001` or `[::1]:7001`. */
  readonly target: string;
  /** The name of the address, which the pod's certificate must hold. */
  readonly host: string;
}

/** Looks up all IP addresses of a name. */
export type LookupAll = (host: string) => Promise<readonly string[]>;

/** The system's own resolution, which knows of `/etc/hosts` too. */
async function systemLookup(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Splits `host:port`, `[v6]:port`; throws on anything else. */
export function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65535) throw new TypeError(`"${address}" is not host:port`);
  return { host, port };
}

/**
 * All pods behind the given addresses, each once.
 *
 * A name that cannot be resolved does not hide the others: the error is thrown only when nothing is found at all.
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

/** Both addresses of `localhost` are the same pod, or no process listens on one of them. */
function preferIPv4(hosts: readonly string[]): readonly string[] {
  const ipv4 = hosts.filter(host => isIP(host) === 4);
  return (ipv4.length > 0 ? ipv4 : hosts).slice(0, 1);
}
