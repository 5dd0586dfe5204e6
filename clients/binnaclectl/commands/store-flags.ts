import { textFlag } from '../arguments/flag.ts';
import { UsageError } from '../output/errors.ts';
import { etcdFlags } from './etcd-flags.ts';

/** The flags of storage that name a store which is read, under the same names; storage parses their values. */
export const readStoreFlags = {
  dataDir: textFlag('folder with the store of the standalone form or of embedded storage', {
    placeholder: 'dir',
  }),
  ...etcdFlags,
};

/** Those of a store that is written while no service runs on it. */
export const storeFlags = {
  ...readStoreFlags,
  etcdMaxTxnOps: textFlag('operations that etcd accepts in one transaction, where it is not its default', {
    placeholder: 'integer',
  }),
  etcdMaxRequestBytes: textFlag('bytes that etcd accepts in one request, where it is not its default', {
    placeholder: 'integer',
  }),
  leaderLease: textFlag('duration of the lease of the storage leader, as its flag has it', {
    placeholder: 'duration',
  }),
};

type StoreValues = { readonly [Name in 'dataDir' | 'etcdEndpoints']: string | undefined };

/** The store that the flags name, or the environment variables where no flag is given. */
export function chooseBackend(
  { dataDir, etcdEndpoints }: StoreValues,
  env: Readonly<Record<string, string | undefined>>,
): 'embedded' | 'etcd' {
  const isGiven = dataDir !== undefined || etcdEndpoints !== undefined;
  const isEmbedded = (isGiven ? dataDir : env['BINNACLE_DATA_DIR']) !== undefined;
  const isEtcd = (isGiven ? etcdEndpoints : env['BINNACLE_ETCD_ENDPOINTS']) !== undefined;
  if (isEtcd === isEmbedded)
    throw new UsageError('one of --data-dir and --etcd-endpoints must be given, or its environment variable');
  return isEtcd ? 'etcd' : 'embedded';
}
