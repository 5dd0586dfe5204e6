import { type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, type Metrics, silentLogger } from '@binnacle/telemetry';
import { createKmsTransformer, type KmsProvider, type KmsTransformer } from '../create-kms-transformer.ts';
import { KmsPlugin } from './kms-plugin.ts';
import { makeSocketFolder } from './socket-folder.ts';

/** A plugin and a transformer that uses it. */
interface KmsTest extends AsyncDisposable {
  readonly plugin: KmsPlugin;
  readonly transformer: KmsTransformer;
  readonly metrics: Metrics;
}

/** Starts a plugin and creates a transformer that uses it, by default without a limit of time that a slow machine would meet. */
export async function startKmsTest(
  apiVersion: 'v1' | 'v2',
  options: Partial<KmsProvider> & { readonly intervals?: { goodMs: number; failedMs: number } } = {},
): Promise<KmsTest> {
  const folder = makeSocketFolder();
  const plugin = await KmsPlugin.start({ endpoint: folder.endpoint() });
  const metrics = createMetrics({ process: false });
  const { intervals = { goodMs: 20_000, failedMs: 20 }, ...provider } = options;
  const transformer = createKmsTransformer(
    { name: 'test', apiVersion, endpoint: folder.endpoint(), timeout: 30_000, ...provider },
    { log: silentLogger, metrics, healthIntervals: intervals },
  );
  return {
    plugin,
    transformer,
    metrics,
    async [Symbol.asyncDispose]() {
      await transformer[Symbol.asyncDispose]();
      await plugin[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The key of a Secret. */
export function secretKey(name: string | number): StorageKey {
  return storageKeyFrom(`/core/secrets/default/${name}`);
}

/** Waits until a condition holds; fails after 60 s. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const endsAt = performance.now() + 60_000; !(await holds()); ) {
    if (performance.now() > endsAt) throw new Error('the condition does not hold');
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
