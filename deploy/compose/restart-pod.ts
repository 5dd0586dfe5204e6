import { askToRestart } from './control-socket.ts';

/** Restarts one process of the distributed form that runs on `BINNACLE_DATA_DIR`, and waits until it is ready. */
async function main(): Promise<void> {
  const [name] = process.argv.slice(2);
  if (!name) throw new Error('make restart POD=gateway-1: POD names the process');
  console.log(await askToRestart(process.env['BINNACLE_DATA_DIR'] || '.binnacle', name));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
