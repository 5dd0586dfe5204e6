import { errorMessage } from '@binnacle/status-errors';
import { choiceFlag, textFlag } from '../arguments/flag.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { defineCommand } from './command.ts';
import { etcdFlags, givenArguments } from './etcd-flags.ts';

/** The flags of storage that name a store, under the same names; storage parses their values. */
export const storeFlags = {
  dataDir: textFlag('folder with the store of the standalone form or of embedded storage', {
    placeholder: 'dir',
  }),
  ...etcdFlags,
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

/** Converts the names of a store. */
export const namesConvert = defineCommand({
  name: 'names convert',
  usage: '--to=(cluster|kubernetes) (--data-dir=DIR | --etcd-endpoints=URLS)',
  summary:
    'Rewrites the store of a stopped deployment from the API names of one vocabulary to those of the other. Flags of the store that are not given are taken from the variables of storage, BINNACLE_ETCD_ENDPOINTS and the like.',
  examples: [
    'names convert --to=kubernetes --data-dir=.binnacle',
    'names convert --to=cluster --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt',
  ],
  flags: {
    to: choiceFlag('vocabulary that the store has afterwards', ['', 'cluster', 'kubernetes'], {
      defaultValue: '',
      placeholder: 'cluster|kubernetes',
    }),
    ...storeFlags,
  },
  async run({ flags, words, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    if (flags.to === '') throw new UsageError('--to must be cluster or kubernetes');
    const { env, signal } = terminal;
    const args = [`--backend=${chooseBackend(flags, env)}`, ...givenArguments(storeFlags, flags)];
    // The backends are not loaded for the other commands.
    const { convertNames } = await import('@binnacle/storage');
    try {
      const report = await convertNames({ to: flags.to, args, env, signal });
      await terminal.out(report.text());
      return 0;
    } catch (error) {
      throw new CommandError(errorMessage(error));
    }
  },
});

type StoreValues = { readonly [Name in keyof typeof storeFlags]: string | undefined };

/** The store that the flags name, or the environment variables where no flag is given. */
function chooseBackend(
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
