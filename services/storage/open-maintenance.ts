import { parseFlags } from '@binnacle/flags';
import { connectEtcd } from './backends/etcd/connection.ts';
import type { EtcdMaintenance } from './backends/etcd/maintenance.ts';
import { backendFrom, storeFlags } from './config.ts';

/** The maintenance of a deployment's etcd, whether the deployment runs or not. */
export interface StoreMaintenance extends EtcdMaintenance, Disposable {
  readonly endpoints: readonly string[];
}

/**
 * Connects to the etcd that the flags of storage, or their environment variables, name. Throws a FlagError for flags that
 * contradict each other.
 */
export async function openMaintenance(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<StoreMaintenance> {
  const backend = await backendFrom(parseFlags(storeFlags, ['--backend=etcd', ...args], env));
  if (backend.kind !== 'etcd') throw new Error('the flag says that the backend is etcd');
  const connection = connectEtcd(backend.etcd);
  return {
    ...connection.maintenance,
    endpoints: backend.etcd.endpoints,
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
