import { setTimeout as sleep } from 'node:timers/promises';
import { backendRefusalIn } from '@binnacle/backend-access';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import { FailureLog, type Logger } from '@binnacle/service-kit';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { EtcdConnection } from '../backends/etcd/connection.ts';
import { keepLeaseAlive } from './keep-lease-alive.ts';
import type { Duty, RunAsLeader } from './leadership.ts';

/** How leaders are elected. */
interface LeaseElectionOptions {
  readonly connection: EtcdConnection;
  /** What is led: one leader a name. */
  readonly name: string;
  /** Who this process is, for people who look. */
  readonly identity: string;
  /** Seconds after which a leader that is not heard of is replaced. */
  readonly ttlSeconds: number;
  readonly log: Logger;
}

/** Milliseconds between attempts to become leader; twice as long after each one that fails, up to a bound. */
const campaignIntervalMs = 1000;
const longestIntervalMs = 4000;

/** Milliseconds that one request of the election may take. */
const requestTimeoutMs = 3000;

/**
 * Leadership by a key that lives as long as a lease in etcd, which the leader keeps alive.
 *
 * A leader that cannot reach etcd gives up by its own clock after two thirds of the lease's time, before etcd lets
 * another process in. Its last requests may still be under way then; what the leader does must bear that.
 */
export function leadByEtcdLease(options: LeaseElectionOptions): RunAsLeader {
  return async (duty, signal) => {
    const failures = new FailureLog({
      log: options.log,
      failed: 'the election failed, retrying',
      worked: 'the election resumed after failures',
    });
    const works = (): void => {
      intervalMs = campaignIntervalMs;
      failures.worked();
    };
    const lead: Duty = term => {
      works();
      return duty(term);
    };
    let intervalMs = campaignIntervalMs;
    while (!signal.aborted) {
      try {
        await campaignOnce(options, lead, signal);
        works();
      } catch (thrown) {
        intervalMs = Math.min(intervalMs * 2, longestIntervalMs);
        // The connection logs a refusal once; every attempt meets the same one.
        if (!signal.aborted && backendRefusalIn(thrown) === undefined) failures.failed(thrown);
      }
      await sleep(intervalMs * (1 + Math.random() / 5), undefined, { signal }).catch(() => {});
    }
  };
}

async function campaignOnce(options: LeaseElectionOptions, duty: Duty, signal: AbortSignal): Promise<void> {
  const { connection, ttlSeconds, log, name } = options;
  const key = connection.layout.bytesOf(storageKeyFrom(`/_leaders/${name}`));
  if (await isHeld(connection, key, signal)) return;
  const grantedAt = performance.now();
  const lease = await connection.grantLease(ttlSeconds, callWithin(signal));
  const term = new AbortController();
  const end = (): void => term.abort();
  signal.addEventListener('abort', end, { once: true });
  try {
    if (!(await take(options, { key, lease }, signal))) return;
    log.info('leading', { name, lease });
    const keeping = keepLeaseAlive({ connection, lease, ttlSeconds, grantedAt }, term);
    try {
      await duty(term.signal);
    } finally {
      term.abort();
      await keeping;
      log.info('no longer leading', { name, lease });
    }
  } finally {
    signal.removeEventListener('abort', end);
    // Lets the next leader in at once; when etcd cannot be reached the lease runs out by itself.
    await connection.revokeLease(lease, callWithin(AbortSignal.timeout(1000))).catch(() => {});
  }
}

async function isHeld(connection: EtcdConnection, key: Buffer, signal: AbortSignal): Promise<boolean> {
  return (await connection.range({ key, keys_only: true }, callWithin(signal))).kvs.length > 0;
}

async function take(
  { connection, identity }: LeaseElectionOptions,
  { key, lease }: { readonly key: Buffer; readonly lease: string },
  signal: AbortSignal,
): Promise<boolean> {
  const response = await connection.txn(
    {
      compare: [{ result: 'Equal', target: 'Create', key, create_revision: '0' }],
      success: [{ request_put: { key, value: Buffer.from(identity), lease } }],
    },
    callWithin(signal),
  );
  return response.succeeded;
}

function callWithin(signal: AbortSignal): CallContext {
  return { signal, deadline: deadlineIn(requestTimeoutMs) };
}
