import { setTimeout as pause } from 'node:timers/promises';
import { deadlineIn } from '@binnacle/proto';
import { ApiNamesRefusal } from '@binnacle/rpc';
import { type Storage, type StorageRecord, storageKeyFrom } from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import { connectEtcd, type EtcdConnection } from './backends/etcd/connection.ts';
import type { EtcdOptions } from './backends/etcd/etcd-options.ts';
import { createEtcdStorage } from './backends/etcd/etcd-storage.ts';
import { leadByEtcdLease } from './leader-election/lead-by-etcd-lease.ts';

/** Options of holding a store in etcd. */
interface HoldOptions {
  readonly etcd: EtcdOptions;
  /** Milliseconds of the lease of the leader of storage. */
  readonly leaseMs: number;
  /** The work, for operators who look at the leader's key. */
  readonly work: string;
  /**
   * Milliseconds for which no storage service may lead before the work begins; default 0. In `candidacyMs` a service that runs becomes
   * the leader, also one that found etcd away before.
   */
  readonly quietMs?: number;
  readonly signal: AbortSignal;
}

/** Milliseconds within which every storage service that runs tries to lead: the longest pause between its attempts, and a margin. */
export const candidacyMs = 6_000;

/** A store in etcd that no service uses. */
interface HeldStore {
  readonly connection: EtcdConnection;
  readonly storage: Storage;
  /** Aborts when the store is no longer held. */
  readonly signal: AbortSignal;
}

const servers = storageKeyFrom('/_servers/');
/** Gateways renew their leases every three seconds. */
const recheckMs = 7_500;

/**
 * Works on a store in etcd as its leader, so that no storage service leads meanwhile. Throws an ApiNamesRefusal while a storage service
 * leads or a gateway is alive.
 */
export async function holdEtcdStore<Result>(
  { etcd, leaseMs, work, quietMs = 0, signal: wanted }: HoldOptions,
  use: (held: HeldStore) => Promise<Result>,
): Promise<Result> {
  using connection = connectEtcd(etcd);
  const storage = createEtcdStorage(connection, etcd.batchLimits);
  await storage.typeRevision(undefined, { signal: wanted, deadline: deadlineIn(10_000) });
  if (quietMs > 0) await assertQuiet(connection, { quietMs, leaseMs }, wanted);
  const lead = leadByEtcdLease({
    connection,
    name: 'storage',
    identity: `${work} ${process.pid}`,
    ttlSeconds: Math.ceil(leaseMs / 1000),
    log: silentLogger,
  });
  const ending = new AbortController();
  const signal = AbortSignal.any([wanted, ending.signal]);
  const leading = Promise.withResolvers<AbortSignal>();
  const done = Promise.withResolvers<void>();
  const led = lead(async term => {
    leading.resolve(term);
    await done.promise;
  }, signal);
  try {
    const waiting = pause(2 * leaseMs, undefined, { signal }).catch(() => undefined);
    const term = await Promise.race([leading.promise, waiting]);
    if (term === undefined) throw leads();
    await assertNoGateways(storage, term);
    return await use({ connection, storage, signal: AbortSignal.any([wanted, term]) });
  } finally {
    done.resolve();
    ending.abort();
    await led;
  }
}

function leads(): ApiNamesRefusal {
  return new ApiNamesRefusal('the store is in use: a storage service leads');
}

/** Milliseconds between looks at the key of the leader. */
const lookMs = 200;

/** Asserts that no storage service leads for some time; the key of one that was killed is there until its lease ends. */
async function assertQuiet(
  connection: EtcdConnection,
  { quietMs, leaseMs }: { readonly quietMs: number; readonly leaseMs: number },
  signal: AbortSignal,
): Promise<void> {
  const key = connection.layout.toBytes(storageKeyFrom('/_leaders/storage'));
  const giveUpAt = performance.now() + 2 * leaseMs + quietMs;
  let quietSince = performance.now();
  while (performance.now() - quietSince < quietMs) {
    const { count } = await connection.range(
      { key, count_only: true },
      { signal, deadline: deadlineIn(10_000) },
    );
    if (Number(count) > 0) quietSince = performance.now();
    if (performance.now() > giveUpAt) throw leads();
    await pause(lookMs, undefined, { signal });
  }
}

/** Asserts that no gateway is alive: a living gateway renews its lease, and an unchanged lease was left by a killed one. */
async function assertNoGateways(storage: Storage, signal: AbortSignal): Promise<void> {
  const look = async (): Promise<readonly StorageRecord[]> =>
    (await storage.list({ prefix: servers }, { signal, deadline: deadlineIn(10_000) })).records;
  const before = await look();
  if (before.length === 0) return;
  await pause(recheckMs, undefined, { signal });
  for (const { key, revision } of await look())
    if (!before.some(lease => lease.key === key && lease.revision === revision))
      throw new ApiNamesRefusal(`the store is in use: the gateway ${key.slice(servers.length)} is alive`);
}
