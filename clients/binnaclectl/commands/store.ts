import type { CallContext } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import type { StoreMaintenance } from '@binnacle/storage';
import { columnsText } from '../output/columns.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import type { Terminal } from '../session/terminal.ts';
import { type CommandInput, defineCommand } from './command.ts';
import { etcdFlags, givenArguments } from './etcd-flags.ts';

/** Shows how full etcd is. */
export const storeStatus = defineCommand({
  name: 'store status',
  usage: '--etcd-endpoints=URLS',
  summary: 'Shows the size, the part in use and the alarms of each member of etcd.',
  examples: ['store status --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt'],
  flags: etcdFlags,
  run: input =>
    withStore(input, async ({ store, call, terminal }) => {
      const members = await store.statuses(call);
      const lines = members.map(member =>
        'error' in member
          ? [member.endpoint, '', '', '', '', errorMessage(member.error)]
          : [
              member.endpoint,
              member.version,
              String(member.isLeader),
              mebibytes(member.sizeBytes),
              mebibytes(member.inUseBytes),
              member.alarms.join(',') || '-',
            ],
      );
      await terminal.out(
        columnsText([['ENDPOINT', 'VERSION', 'LEADER', 'SIZE', 'IN-USE', 'ALARMS'], ...lines]),
      );
      return members.some(member => 'error' in member) ? 1 : 0;
    }),
});

/** Compacts etcd. */
export const storeCompact = defineCommand({
  name: 'store compact',
  usage: '--etcd-endpoints=URLS',
  summary:
    'Removes the history of etcd, which frees pages in its database; watches that are behind list again.',
  examples: ['store compact --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt'],
  flags: etcdFlags,
  run: input =>
    withStore(input, async ({ store, call, terminal }) => {
      await terminal.out(`compacted up to revision ${await store.compactAll(call)}\n`);
      return 0;
    }),
});

/** Defragments the members of etcd. */
export const storeDefragment = defineCommand({
  name: 'store defragment',
  usage: '--etcd-endpoints=URLS',
  summary:
    'Returns the free pages of etcd to the disk, one member after another; a member does not answer meanwhile.',
  examples: ['store defragment --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt'],
  flags: etcdFlags,
  run: input =>
    withStore(input, async ({ store, call, terminal }) => {
      for (const endpoint of store.endpoints) {
        await store.defragment(endpoint, call);
        await terminal.out(`${endpoint} defragmented\n`);
      }
      return 0;
    }),
});

/** Disarms the alarm about missing space. */
export const storeDisarm = defineCommand({
  name: 'store disarm',
  usage: '--etcd-endpoints=URLS',
  summary: 'Clears the alarm NOSPACE of etcd, which then accepts writes.',
  examples: ['store disarm --etcd-endpoints=https://etcd:2379 --etcd-cafile=ca.crt'],
  flags: etcdFlags,
  run: input =>
    withStore(input, async ({ store, call, terminal }) => {
      const disarmed = await store.disarm(call);
      await terminal.out(disarmed === 0 ? 'no alarm was raised\n' : `alarms disarmed: ${disarmed}\n`);
      return 0;
    }),
});

/** Milliseconds that a step may take: a large database is defragmented for minutes. */
const timeoutMs = 30 * 60_000;

interface OpenStore {
  readonly store: StoreMaintenance;
  readonly call: CallContext;
  readonly terminal: Terminal;
}

async function withStore(
  { flags, words, terminal }: CommandInput<typeof etcdFlags>,
  use: (open: OpenStore) => Promise<number>,
): Promise<number> {
  if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
  const { env, signal } = terminal;
  if (flags.etcdEndpoints === undefined && env['BINNACLE_ETCD_ENDPOINTS'] === undefined)
    throw new UsageError('--etcd-endpoints must be given, or its environment variable');
  // The backends are not loaded for the other commands.
  const { deadlineIn } = await import('@binnacle/proto');
  const { openMaintenance } = await import('@binnacle/storage');
  try {
    using store = await openMaintenance(givenArguments(etcdFlags, flags), env);
    return await use({ store, call: { signal, deadline: deadlineIn(timeoutMs) }, terminal });
  } catch (error) {
    throw new CommandError(errorMessage(error));
  }
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
