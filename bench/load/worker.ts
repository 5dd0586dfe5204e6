import { constants, setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { openFlood } from './open-flood.ts';
import { type OpenWatches, openWatches } from './open-watches.ts';
import type { LoadCommand, LoadMessage, LoadUsage } from './protocol.ts';
import { sendRequests } from './send-requests.ts';

let watches: OpenWatches | undefined;
let usage = measureOwnUsage();

process.on('message', (command: LoadCommand) => {
  perform(command).catch((error: unknown) => tell({ kind: 'failed', message: String(error) }));
});

function tell(message: LoadMessage): void {
  process.send?.(message);
}

async function perform(command: LoadCommand): Promise<void> {
  const onProgress = (done: number): void => tell({ kind: 'progress', done });
  if (command.kind === 'requests') {
    usage = measureOwnUsage();
    tell({ kind: 'done', ...(await sendRequests(command, onProgress)), usage: usage() });
  } else if (command.kind === 'watch') {
    watches = await openWatches(command, onProgress);
    tell({ kind: 'open' });
  } else if (command.kind === 'flood') {
    // A flood comes from other machines; here it takes only what the servers and the quiet user leave of this one.
    setPriority(constants.priority.PRIORITY_LOW);
    watches = openFlood(command);
    tell({ kind: 'open' });
  } else if (command.kind === 'measure') {
    usage = measureOwnUsage();
  } else if (watches) {
    const used = usage();
    tell({ kind: 'done', ...watches.close(), usage: used });
    watches = undefined;
  }
}

/** Measures the use that this process makes of the machine from now on. */
function measureOwnUsage(): () => LoadUsage {
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return {
      cpuMicros: user + system,
      loopUtilization: performance.eventLoopUtilization(loop).utilization,
    };
  };
}
