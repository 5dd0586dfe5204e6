import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Vocabulary } from '@binnacle/api-names';
import { parseFlags } from '@binnacle/flags';
import { deadlineIn } from '@binnacle/proto';
import { ApiNamesRefusal } from '@binnacle/rpc';
import { errorMessage } from '@binnacle/status-errors';
import { type Storage, type StorageRecord, storageKeyFrom } from '@binnacle/storage-contract';
import { silentLogger } from '@binnacle/telemetry';
import { openEmbeddedStorage } from './backends/embedded/embedded-storage.ts';
import { connectEtcd } from './backends/etcd/connection.ts';
import type { EtcdOptions } from './backends/etcd/etcd-options.ts';
import { createEtcdStorage } from './backends/etcd/etcd-storage.ts';
import { backendFrom, storeFlags } from './config.ts';
import type { ConversionReport } from './conversion/conversion-report.ts';
import { convertStore } from './conversion/convert-store.ts';
import { leadByEtcdLease } from './leader-election/lead-by-etcd-lease.ts';
import { leaderFlags } from './leader-election/leader-flags.ts';

/** Options of converting a store. */
interface ConversionOptions {
  /** The given flags among `conversionFlags`, as on a command line. */
  readonly args: readonly string[];
  /** Environment variables, which provide the flags that are not given, as for storage. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly to: Vocabulary;
  readonly signal: AbortSignal;
  readonly onProgress?: (objects: number) => void;
}

const servers = storageKeyFrom('/_servers/');
/** Gateways renew their leases every three seconds. */
const recheckMs = 7_500;

/** The flags of storage that name a store, and how the services that use it find their leader. */
export const conversionFlags = { ...storeFlags, leaderLease: leaderFlags.leaderLease };

/**
 * Converts the store that flags name. Throws a FlagError for invalid flags, and an ApiNamesRefusal while a server uses the store.
 */
export async function convertNames(options: ConversionOptions): Promise<ConversionReport> {
  const flags = parseFlags(conversionFlags, options.args, options.env);
  const backend = await backendFrom(flags);
  if (backend.kind === 'etcd') return await convertEtcd(options, backend.etcd, flags.leaderLease);
  const { directory } = backend;
  await access(join(directory, 'store.mdb')).catch(() => {
    throw new ApiNamesRefusal(`there is no store in ${directory}`);
  });
  const storage = await openEmbeddedStorage({ directory }).catch((thrown: unknown) => {
    throw new ApiNamesRefusal(errorMessage(thrown), { cause: thrown });
  });
  try {
    return await convertStore({ ...options, storage });
  } finally {
    await storage[Symbol.asyncDispose]();
  }
}

/** Converts a store in etcd as its leader: while a storage service leads, the conversion is refused. */
async function convertEtcd(
  options: ConversionOptions,
  etcd: EtcdOptions,
  leaseMs: number,
): Promise<ConversionReport> {
  using connection = connectEtcd(etcd);
  const storage = createEtcdStorage(connection, etcd.batchLimits);
  await assertAnswers(storage, options.signal);
  const lead = leadByEtcdLease({
    connection,
    name: 'storage',
    identity: `conversion ${process.pid}`,
    ttlSeconds: Math.ceil(leaseMs / 1000),
    log: silentLogger,
  });
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const leading = Promise.withResolvers<AbortSignal>();
  const done = Promise.withResolvers<void>();
  const led = lead(async term => {
    leading.resolve(term);
    await done.promise;
  }, signal);
  try {
    const waiting = pause(2 * leaseMs, undefined, { signal }).catch(() => undefined);
    const term = await Promise.race([leading.promise, waiting]);
    if (term === undefined) throw new ApiNamesRefusal('the store is in use: a storage service leads');
    await assertNoGateways(storage, term);
    return await convertStore({ ...options, storage, signal: AbortSignal.any([options.signal, term]) });
  } finally {
    done.resolve();
    ending.abort();
    await led;
  }
}

async function assertAnswers(storage: Storage, signal: AbortSignal): Promise<void> {
  await storage.typeRevision(undefined, { signal, deadline: deadlineIn(10_000) });
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
