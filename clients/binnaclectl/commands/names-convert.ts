import { errorMessage } from '@binnacle/status-errors';
import { choiceFlag } from '../arguments/flag.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { defineCommand } from './command.ts';
import { givenArguments } from './etcd-flags.ts';
import { chooseBackend, storeFlags } from './store-flags.ts';

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
    to: choiceFlag('vocabulary to convert the store to', ['', 'cluster', 'kubernetes'], {
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
