import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Vocabulary } from '@binnacle/api-names';
import { parseFlags } from '@binnacle/flags';
import { ApiNamesRefusal } from '@binnacle/rpc';
import { errorMessage } from '@binnacle/status-errors';
import { openEmbeddedStorage } from './backends/embedded/embedded-storage.ts';
import { backendFrom, storeFlags } from './config.ts';
import type { ConversionReport } from './conversion/conversion-report.ts';
import { convertStore } from './conversion/convert-store.ts';
import { holdEtcdStore } from './hold-store.ts';
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

/** The flags of storage that name a store, and how the services that use it find their leader. */
export const conversionFlags = { ...storeFlags, leaderLease: leaderFlags.leaderLease };

/**
 * Converts the store that flags name. Throws a FlagError for invalid flags, and an ApiNamesRefusal while a server uses the store.
 */
export async function convertNames(options: ConversionOptions): Promise<ConversionReport> {
  const flags = parseFlags(conversionFlags, options.args, options.env);
  const backend = await backendFrom(flags);
  if (backend.kind === 'etcd')
    return await holdEtcdStore(
      { etcd: backend.etcd, leaseMs: flags.leaderLease, work: 'conversion', signal: options.signal },
      ({ storage, signal }) => convertStore({ ...options, storage, signal }),
    );
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
