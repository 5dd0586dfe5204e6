import type { ConversionOptions } from '@binnacle/storage';
import { choiceFlag, textFlag, textsFlag } from '../arguments/flag.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { defineCommand } from './command.ts';

/** Converts the names of a store. */
export const namesConvert = defineCommand({
  name: 'names convert',
  usage: '--to=(cluster|kubernetes) (--data-dir=DIR | --etcd-endpoints=URLS)',
  summary:
    'Rewrites the store of a stopped deployment from the API names of one vocabulary to those of the other.',
  examples: [
    'names convert --to=kubernetes --data-dir=.binnacle',
    'names convert --to=cluster --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt',
  ],
  flags: {
    to: choiceFlag('vocabulary that the store has afterwards', ['', 'cluster', 'kubernetes'], {
      defaultValue: '',
      placeholder: 'cluster|kubernetes',
    }),
    dataDir: textFlag('folder with the store of the standalone form or of embedded storage', {
      placeholder: 'dir',
    }),
    etcdEndpoints: textsFlag('URLs of the etcd members', { placeholder: 'urls' }),
    etcdPrefix: textFlag('prefix of every key in etcd (default /binnacle)'),
    etcdCafile: textFlag('PEM file of the authority of etcd', { placeholder: 'file' }),
    etcdCertfile: textFlag('PEM file of the client certificate for etcd', { placeholder: 'file' }),
    etcdKeyfile: textFlag('PEM file of the key of that certificate', { placeholder: 'file' }),
    etcdUsername: textFlag('user of etcd', { placeholder: 'name' }),
    etcdPasswordFile: textFlag('file with the password of that user', { placeholder: 'file' }),
  },
  async run({ flags, words, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    if (flags.to === '') throw new UsageError('--to must be cluster or kubernetes');
    const isEtcd = flags.etcdEndpoints.length > 0;
    if (isEtcd === (flags.dataDir !== undefined))
      throw new UsageError('one of --data-dir and --etcd-endpoints must be given');
    // The backends are not loaded for the other commands.
    const { convertNames } = await import('@binnacle/storage');
    try {
      const report = await convertNames({
        to: flags.to,
        flags: storageFlagsFrom(flags),
        signal: terminal.signal,
      });
      await terminal.out(report.text());
      return 0;
    } catch (error) {
      throw new CommandError(error instanceof Error ? error.message : String(error));
    }
  },
});

type Flags = Readonly<Record<string, unknown>> & { readonly etcdEndpoints: readonly string[] };

/** The flags of storage that were given. */
function storageFlagsFrom({ to: _, kubeconfig: _1, ...flags }: Flags): ConversionOptions['flags'] {
  const given = Object.entries(flags).filter(([name, value]) => isOfStorage(name) && value !== undefined);
  return { backend: flags.etcdEndpoints.length > 0 ? 'etcd' : 'embedded', ...Object.fromEntries(given) };
}

function isOfStorage(name: string): boolean {
  return name === 'dataDir' || name.startsWith('etcd');
}
