import { errorMessage } from '@binnacle/status-errors';
import { CommandError, UsageError } from '../output/errors.ts';
import { describeBackup } from './backup.ts';
import { defineCommand } from './command.ts';
import { givenArguments } from './etcd-flags.ts';
import { chooseBackend, storeFlags } from './store-flags.ts';

/** Restores a backup. */
export const restore = defineCommand({
  name: 'restore',
  usage: 'FILE (--data-dir=DIR | --etcd-endpoints=URLS)',
  summary:
    'Writes a backup into an empty store, of either kind, before a server starts on it. The whole file is checked first. Earlier resource versions are gone afterwards: clients list again.',
  examples: [
    'restore monday.backup --data-dir=/var/lib/binnacle',
    'restore monday.backup --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt',
  ],
  flags: storeFlags,
  async run({ flags, words, terminal }) {
    const [file, ...more] = words;
    if (file === undefined || more.length > 0) throw new UsageError('exactly one file must be given');
    const { env, signal } = terminal;
    const args = [`--backend=${chooseBackend(flags, env)}`, ...givenArguments(storeFlags, flags)];
    // The backends are not loaded for the other commands.
    const { restoreBackup } = await import('@binnacle/storage');
    try {
      const restored = await restoreBackup({ file, args, env, now: terminal.time, signal });
      await terminal.out(
        `${file} restored\n${describeBackup(restored)}versions begin after ${restored.floor}\n`,
      );
      return 0;
    } catch (error) {
      throw new CommandError(errorMessage(error));
    }
  },
});
