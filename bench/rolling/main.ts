import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { booleanFlag, decimalFlag, integerFlag, listFlag, parseProgramFlags } from '@binnacle/flags';
import { describeMachine } from '../measure/describe-machine.ts';
import { findLosses, type Losses } from './find-losses.ts';
import { restartLines, restartService, type ServiceRestart } from './restart-services.ts';
import { type RollingForm, startRollingForm } from './rolling-form.ts';
import type { RollingWrites } from './rolling-writes.ts';
import { scaleGateways } from './scale-gateways.ts';
import { warmUp } from './warm-up.ts';

const services = [
  'gateway',
  'admission',
  'storage',
  'webhook-dispatch',
  'token-review',
  'controller-manager',
];

const flags = parseProgramFlags({
  rate: integerFlag({ description: 'Writes a second, through all gateways.', default: 150, min: 1 }),
  watchers: integerFlag({ description: 'Watches, spread over the namespaces.', default: 500, min: 1 }),
  namespaces: integerFlag({
    description: 'Namespaces; each write is seen by as many watches as each has.',
    default: 100,
    min: 1,
  }),
  writeConnections: integerFlag({ description: 'HTTP/2 connections of the writers.', default: 8, min: 1 }),
  watchConnections: integerFlag({ description: 'HTTP/2 connections of the watches.', default: 40, min: 1 }),
  watchProcesses: integerFlag({ description: 'Processes that hold the watches.', default: 2, min: 1 }),
  watchTimeout: integerFlag({
    description: 'Shortest seconds that a watch asks for; the longest are twice that.',
    default: 300,
    min: 1,
  }),
  undisturbed: integerFlag({
    description: 'Seconds of load before each service, to compare with.',
    default: 10,
    min: 1,
  }),
  only: listFlag({ description: 'Services to restart; by default all.' }),
  goawayChance: decimalFlag({ description: 'The flag --goaway-chance of the gateways.', default: 0 }),
  scale: booleanFlag({
    description: 'One gateway gets three more and loses them again, instead of restarts.',
  }),
  scaleSeconds: integerFlag({
    description: 'With --scale: seconds of load with four gateways.',
    default: 90,
    min: 1,
  }),
});

const mostWarmSeconds = 60;
const completeTimeoutMs = 30_000;
const mostSettleMs = 60_000;

const directory = await mkdtemp(join(tmpdir(), 'binnacle-rolling-'));
try {
  await main();
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** Restarts each service of the distributed form under load, or adds and stops gateways, and prints what clients saw. */
async function main(): Promise<void> {
  const { cores, node } = describeMachine();
  const load = () => loadavg().map(average => average.toFixed(1));
  console.log(
    `${flags.rate} writes/s, ${flags.watchers} watches in ${flags.namespaces} namespaces; ${cores} cores, Node ${node}, load ${load().join(' ')}; waits in ms`,
  );
  await using rolling = await startRollingForm({ ...flags, directory, gateways: flags.scale ? 1 : 2 });
  if (!(await warmUp(rolling.writes, flags.rate, mostWarmSeconds))) {
    console.log(`this machine does not carry ${flags.rate} writes/s: ${rolling.writes.pending} writes wait`);
    process.exitCode = 1;
    return;
  }
  if (flags.scale) await scale(rolling);
  else await restartServices(rolling);
  console.log(`load at the end ${load().join(' ')}`);
}

async function scale(rolling: RollingForm): Promise<void> {
  const { holds } = await scaleGateways(rolling, flags.scaleSeconds);
  const { lost, repeated } = await endLoad(rolling);
  console.log(`all watches: ${lost} events lost, ${repeated} repeated`);
  process.exitCode = holds && lost + repeated === 0 ? 0 : 1;
}

async function restartServices(rolling: RollingForm): Promise<void> {
  const restarts: ServiceRestart[] = [];
  for (const service of flags.only.length > 0 ? flags.only : services) {
    if (!(await writesKeepUp(rolling.writes))) console.error(`${rolling.writes.pending} writes still wait`);
    console.error(`restarting ${service}`);
    const restart = await restartService(rolling, service, flags.undisturbed);
    restarts.push(restart);
    // Lost events are known at the end.
    const known = { lost: 0, repeated: 0, acknowledged: [] };
    const { lines } = restartLines([restart], rolling.writes.written, known);
    for (const line of lines.slice(0, -1)) console.error(line);
  }
  const { lines, holds } = restartLines(restarts, rolling.writes.written, await endLoad(rolling));
  for (const line of lines) console.log(line);
  process.exitCode = holds ? 0 : 1;
}

/** Waits, for a minute at most, until fewer writes wait than are made in a fifth of a second: what a restart leaves is not the next one's. */
async function writesKeepUp(writes: RollingWrites): Promise<boolean> {
  for (const giveUpAt = performance.now() + mostSettleMs; performance.now() < giveUpAt; await pause(1_000))
    if (writes.pending < flags.rate / 5) return true;
  return false;
}

/** Ends the writes and compares what was written with what the watches saw, once they saw all or half a minute has passed. */
async function endLoad({ writes, watches }: RollingForm): Promise<Losses> {
  await writes.stop();
  for (const giveUpAt = performance.now() + completeTimeoutMs; ; await pause(500)) {
    const sequences = (await Promise.all(watches.map(process => process.sequences()))).flat();
    const losses = findLosses(sequences, writes.acknowledged);
    if (losses.lost === 0 || performance.now() > giveUpAt) return losses;
  }
}
