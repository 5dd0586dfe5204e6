import { pause } from '@binnacle/event-loop';
import { errorMessage } from '@binnacle/status-errors';
import type { MadeBackup } from '@binnacle/storage';
import { durationFlag, integerFlag, textFlag } from '../arguments/flag.ts';
import { CommandError, errorText, UsageError } from '../output/errors.ts';
import type { Terminal } from '../session/terminal.ts';
import { defineCommand } from './command.ts';
import { givenArguments } from './etcd-flags.ts';
import { chooseBackend, readStoreFlags } from './store-flags.ts';

/** Backs up a store. */
export const backup = defineCommand({
  name: 'backup',
  usage:
    '(FILE | - | --directory=DIR [--keep=N] [--every=DURATION]) (--data-dir=DIR | --etcd-endpoints=URLS)',
  summary:
    'Writes all objects of a store, as of one revision, into a new file, while the store serves. The file holds Secrets: its owner alone can read it. Flags of the store that are not given are taken from the variables of storage.',
  examples: [
    'backup monday.backup --data-dir=.binnacle',
    'backup --directory=/var/backups/binnacle --keep=14 --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt',
    'backup - --data-dir=.binnacle > monday.backup',
  ],
  flags: {
    directory: textFlag('folder for the file, whose name then is its time and revision', {
      placeholder: 'dir',
    }),
    keep: integerFlag('number of backups to keep in the folder; older ones are removed (default: all)', {
      least: 1,
    }),
    every: durationFlag('time between the starts of two backups (default: one backup)'),
    ...readStoreFlags,
  },
  async run({ flags, words, terminal }) {
    const target = chooseTarget(words, flags);
    const { env, signal } = terminal;
    const args = [`--backend=${chooseBackend(flags, env)}`, ...givenArguments(readStoreFlags, flags)];
    // The backends are not loaded for the other commands.
    const { backUpStore } = await import('@binnacle/storage');
    const backUp = async (): Promise<void> => {
      try {
        const made = await backUpStore({ args, env, target, now: terminal.time, signal });
        const text = describe(made);
        if (made.file === undefined) terminal.err(text);
        else await terminal.out(text);
      } catch (error) {
        throw new CommandError(errorMessage(error));
      }
    };
    if (flags.every === undefined) await backUp();
    else await repeat(backUp, flags.every, terminal);
    return 0;
  },
});

/** Makes one backup after the other until the user ends the command; one that fails is reported. */
async function repeat(
  backUp: () => Promise<void>,
  everyMs: number,
  { err, signal }: Terminal,
): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now();
    try {
      await backUp();
    } catch (error) {
      if (!signal.aborted) err(`${errorText(error)}\n`);
    }
    await pause(Math.max(0, everyMs - (performance.now() - begun)), signal);
  }
}

interface TargetFlags {
  readonly directory: string | undefined;
  readonly keep: number | undefined;
  readonly every: number | undefined;
}

function chooseTarget([file, ...more]: readonly string[], { directory, keep, every }: TargetFlags) {
  if (more.length > 0) throw new UsageError(`unexpected arguments: ${more.join(' ')}`);
  if ((file === undefined) === (directory === undefined))
    throw new UsageError('either a file or --directory must be given');
  if (directory !== undefined) return { folder: directory, keep };
  if (keep !== undefined || every !== undefined) throw new UsageError('--keep and --every need --directory');
  if (file !== '-') return { file: file ?? '' };
  if (process.stdout.isTTY) throw new UsageError('a backup is not written to a terminal: name a file');
  return { stream: process.stdout };
}

function describe(made: MadeBackup): string {
  return [
    `${made.file ?? 'backup'} written\n`,
    describeBackup(made),
    ...made.removed.map(path => `${path} removed\n`),
  ].join('');
}

/** Checks a backup. */
export const backupVerify = defineCommand({
  name: 'backup verify',
  usage: 'FILE',
  summary:
    'Reads a backup to its end and checks its checksum, its number of records, their order, and that every object can be read.',
  examples: ['backup verify monday.backup'],
  flags: {},
  async run({ words, terminal }) {
    const [file, ...more] = words;
    if (file === undefined || more.length > 0) throw new UsageError('exactly one file must be given');
    const { readBackup } = await import('@binnacle/storage');
    try {
      const found = await readBackup(file, () => {}, terminal.signal);
      await terminal.out(`${file} is whole\n${describeBackup(found)}`);
      return 0;
    } catch (error) {
      throw new CommandError(errorMessage(error));
    }
  },
});

type Described = Pick<MadeBackup, 'header' | 'records' | 'bytes' | 'sha256'>;

/** Describes a backup in lines. */
export function describeBackup({ header, records, bytes, sha256 }: Described): string {
  return [
    `records  ${records}`,
    `revision ${header.revision}`,
    `taken    ${new Date(header.takenAt).toISOString()}`,
    `store    ${header.store}, --api-names=${header.apiNames}`,
    `bytes    ${bytes}`,
    `sha256   ${sha256}\n`,
  ].join('\n');
}
