import { lookup as systemLookup } from 'node:dns/promises';
import { within } from '@binnacle/event-loop';
import { addressBytes } from './address-bytes.ts';
import { embeddedAddresses } from './embedded-addresses.ts';

/** Options of known hosts. */
interface KnownHostsOptions {
  /** `host:port` each; IPv6 addresses in brackets. */
  readonly hosts: readonly string[];
  /** Resolves a name; default: the system's resolver. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** A monotonic clock, in ms; default: `performance.now`. */
  readonly clock?: () => number;
  /** Time for which resolved addresses count as current, in ms; default: 10,000. */
  readonly freshMs?: number;
  /** Time for which an address is kept after its name last resolved to it, in ms; default: 300,000. */
  readonly keepMs?: number;
  /** Maximum time that `refresh` waits for the resolver, in ms; default: 2,000. */
  readonly timeoutMs?: number;
}

/**
 * The addresses of hosts that are configured by name, such as the backends of a process.
 *
 * `refresh` resolves each name at most once in `freshMs`, with one lookup at a time. DNS may return varying subsets of
 * addresses, so an address is kept for `keepMs` after it was last returned.
 */
export interface KnownHosts {
  /**
   * Updates the addresses. Rejects if a name without a known address cannot be resolved, except if the name does not
   * exist: it has no address to protect.
   */
  refresh(): Promise<void>;
  /** Whether an address belongs to one of these hosts; with a port, to a host with this port. */
  isKnown(address: Uint8Array, port?: number): boolean;
}

interface Host {
  readonly name: string;
  readonly port: number;
  /** Monotonic time of the last answer. */
  resolvedAt: number;
  /** The lookup under way. */
  lookup: Promise<void> | undefined;
  /** Monotonic time at which each address was last returned, by its key. */
  readonly seen: Map<string, number>;
}

/** Resolver error codes for a name without addresses. */
const missingNameCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Creates known hosts; throws a TypeError for a text that is not `host:port`. */
export function createKnownHosts(options: KnownHostsOptions): KnownHosts {
  const { clock = () => performance.now(), freshMs = 10_000, keepMs = 300_000, timeoutMs = 2_000 } = options;
  const lookup = options.lookup ?? lookUpAll;
  const hosts = options.hosts.map(text => hostFrom(text, clock()));

  async function resolve(host: Host): Promise<void> {
    const addresses = await lookup(host.name);
    const now = clock();
    host.resolvedAt = now;
    for (const [key, at] of host.seen) if (now - at > keepMs) host.seen.delete(key);
    for (const address of addresses) for (const key of keysFromAddress(address)) host.seen.set(key, now);
  }

  async function refreshHost(host: Host): Promise<void> {
    if (clock() - host.resolvedAt <= freshMs) return;
    host.lookup ??= resolve(host).finally(() => {
      host.lookup = undefined;
    });
    try {
      await within(host.lookup, timeoutMs, () => {
        throw new Error('the name service does not answer');
      });
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && missingNameCodes.has(error.code);
      if (!isMissing && host.seen.size === 0) throw error;
    }
  }

  return {
    async refresh() {
      await Promise.all(hosts.map(refreshHost));
    },
    isKnown(address, port) {
      const key = keyFromBytes(address);
      return hosts.some(host => (port === undefined || port === host.port) && host.seen.has(key));
    },
  };
}

function hostFrom(text: string, now: number): Host {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):([0-9]{1,5})$/.exec(text);
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) throw new TypeError(`"${text}" is not host:port`);
  const keys = keysFromAddress(name);
  return {
    name,
    port: Number(match?.[3]),
    resolvedAt: keys.length > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
    lookup: undefined,
    seen: new Map(keys.map(key => [key, now])),
  };
}

/** Returns the keys of an address and of its embedded IPv4 addresses; none for a name. */
function keysFromAddress(address: string): string[] {
  const bytes = addressBytes(address);
  return bytes === undefined ? [] : [bytes, ...embeddedAddresses(bytes)].map(keyFromBytes);
}

function keyFromBytes(address: Uint8Array): string {
  return address.join('.');
}

async function lookUpAll(name: string): Promise<string[]> {
  const found = await systemLookup(name, { all: true });
  return found.map(({ address }) => address);
}
