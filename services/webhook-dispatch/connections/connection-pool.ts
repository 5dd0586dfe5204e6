import { hash } from 'node:crypto';
import { Agent } from 'node:https';
import { type AddressFilter, createFilteredLookup } from '@binnacle/network-filter';
import { CallFailed, type Target } from '../targets/target.ts';

/** Options of the connection pool. */
interface ConnectionPoolOptions {
  /** Filter of the addresses to which names resolve. */
  readonly filter: AddressFilter;
  /** Targets whose connections are kept; default 256. */
  readonly maxTargets?: number;
  /** Connections to one target; default 64. */
  readonly maxConnectionsPerTarget?: number;
  /** The most calls to one target that are under way or wait for a connection; more are refused. */
  readonly maxCallsPerWebhook: number;
}

/** Pool of keep-alive connections to the recently called targets. */
export interface ConnectionPool extends Disposable {
  /** Takes the agent for one call to a target; disposing of it returns it. Throws CallFailed when too many calls are under way. */
  take(target: Target): { readonly agent: Agent } & Disposable;
}

interface Entry {
  readonly agent: Agent;
  calls: number;
  /** Whether it was removed from the pool; it closes with its last call. */
  evicted: boolean;
}

const idleConnectionMs = 30_000;

/** Creates a pool: one agent a target, the least recently used ones closed first. */
export function createConnectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const { maxTargets = 256, maxConnectionsPerTarget = 64, maxCallsPerWebhook } = options;
  // In order of last use.
  const entries = new Map<string, Entry>();

  function entryFor(target: Target): Entry {
    const key = poolKey(target);
    const entry = entries.get(key) ?? createEntry(target, { ...options, maxConnectionsPerTarget });
    entries.delete(key);
    entries.set(key, entry);
    for (const [oldest, { agent }] of entries) {
      if (entries.size <= maxTargets) break;
      evict(oldest, agent);
    }
    return entry;
  }

  function evict(key: string, agent: Agent): void {
    const entry = entries.get(key);
    entries.delete(key);
    if (entry === undefined || entry.calls === 0) agent.destroy();
    else entry.evicted = true;
  }

  return {
    take(target) {
      const entry = entryFor(target);
      if (entry.calls >= maxCallsPerWebhook)
        throw new CallFailed(
          'CONNECTION',
          `more than ${maxCallsPerWebhook} calls to ${target.url.host} are under way`,
        );
      entry.calls++;
      return {
        agent: entry.agent,
        [Symbol.dispose]() {
          entry.calls--;
          if (entry.evicted && entry.calls === 0) entry.agent.destroy();
        },
      };
    },
    [Symbol.dispose]() {
      for (const { agent } of entries.values()) agent.destroy();
      entries.clear();
    },
  };
}

function createEntry(
  target: Target,
  options: ConnectionPoolOptions & { readonly maxConnectionsPerTarget: number },
): Entry {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: options.maxConnectionsPerTarget,
    maxFreeSockets: 8,
    timeout: idleConnectionMs,
    minVersion: 'TLSv1.2',
    ...(target.caBundle === '' ? {} : { ca: target.caBundle }),
    ...readClientCertificate(target),
    lookup: createFilteredLookup(options.filter),
  });
  return { agent, calls: 0, evicted: false };
}

function readClientCertificate({ credentials }: Target): { cert?: Buffer; key?: Buffer } {
  if (credentials === undefined || credentials.clientKey.length === 0) return {};
  const { clientCertificate, clientKey } = credentials;
  return { cert: Buffer.from(clientCertificate), key: Buffer.from(clientKey) };
}

/** Creates the key of a connection: calls share one only with the same trusted authorities, server name and client certificate. */
function poolKey({ url, address, serverName, caBundle, credentials }: Target): string {
  const { clientCertificate, clientKey } = credentials ?? {};
  return [
    url.host,
    address?.host ?? '',
    address?.port ?? '',
    serverName,
    fingerprint(caBundle),
    fingerprint(clientCertificate ?? ''),
    fingerprint(clientKey ?? ''),
  ].join(' ');
}

function fingerprint(content: string | Uint8Array): string {
  return content.length === 0 ? '' : hash('sha256', content, 'base64');
}
