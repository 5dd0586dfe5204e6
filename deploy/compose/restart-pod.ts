import { parseProgramFlags, stringFlag } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import { askToRestart } from './control-socket.ts';

const flags = {
  pod: stringFlag({ description: 'Name of the process: gateway-1, storage-2, etcd-1 and so on.' }),
  dataDir: stringFlag({
    description: 'Data folder of the distributed form that runs.',
    default: '.binnacle',
  }),
};

/** Restarts one process of the distributed form that runs on a data folder, and waits until it is ready. */
async function main(): Promise<void> {
  const { pod, dataDir } = parseProgramFlags(flags);
  if (!pod) throw new Error('make restart POD=gateway-1: POD names the process');
  console.log(await askToRestart(dataDir, pod));
}

try {
  await main();
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
