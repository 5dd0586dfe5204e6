import { parseFlags } from '@binnacle/flags';
import { openEmbeddedStorage } from './backends/embedded/embedded-storage.ts';
import { createEtcdStorage } from './backends/etcd/etcd-storage.ts';
import { encodeFloor, revisionFloorKey } from './backends/etcd/moved-revisions.ts';
import { readBackup } from './backup/read-backup.ts';
import { type RestorableStore, type RestoredBackup, restoreStore } from './backup/restore-store.ts';
import { backendFrom } from './config.ts';
import { conversionFlags } from './convert-names.ts';
import { candidacyMs, holdEtcdStore } from './hold-store.ts';

/** Options of restoring a backup into the store that flags name. */
interface RestoreBackupOptions {
  readonly file: string;
  /** The given flags among `conversionFlags`, as on a command line. */
  readonly args: readonly string[];
  /** Environment variables, which provide the flags that are not given, as for storage. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds for which no storage service may lead an etcd before; default: those in which one that runs would. */
  readonly quietMs?: number;
  readonly signal: AbortSignal;
}

/**
 * Restores a backup into the empty store that flags name, of either kind. Throws a FlagError for invalid flags, and a Refusal for a
 * backup that is not whole and for a store that is not empty or in use.
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoredBackup> {
  const { file, now, signal, quietMs = candidacyMs } = options;
  const flags = parseFlags(conversionFlags, options.args, options.env);
  const backend = await backendFrom(flags);
  // Before the folder of the store is made.
  await readBackup(file, () => {}, signal);
  if (backend.kind === 'embedded') {
    await using storage = await openEmbeddedStorage({ directory: backend.directory });
    const target: RestorableStore = {
      storage,
      async beginAfter(floor, transaction, call) {
        await storage.continueAfter(floor);
        return await storage.transact(transaction, call);
      },
    };
    return await restoreStore({ file, target, now, signal });
  }
  const { etcd } = backend;
  const hold = { etcd, leaseMs: flags.leaderLease, work: 'restore', quietMs, signal };
  return await holdEtcdStore(hold, held => {
    let { storage } = held;
    const target: RestorableStore = {
      get storage() {
        return storage;
      },
      async beginAfter(floor, transaction, call) {
        const put = { key: revisionFloorKey, value: encodeFloor(floor) };
        const outcome = await storage.transact({ ...transaction, puts: [...transaction.puts, put] }, call);
        // The floor counts for a store that is opened after it was written.
        storage = createEtcdStorage(held.connection, etcd.batchLimits);
        return outcome;
      },
    };
    return restoreStore({ file, target, now, signal: held.signal });
  });
}
