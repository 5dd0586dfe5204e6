import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { integerFlag, parseProgramFlags } from '@binnacle/flags';
import { LoadProcess } from '../load/load-process.ts';
import type { RequestLoad } from '../load/protocol.ts';
import { ThreadMeter } from '../measure/process-usage.ts';
import { textTable } from '../report/text-table.ts';
import { startDistributedServer } from '../server/measured-server.ts';

// CPU time that a write through one gateway costs another one, which follows the change feed and has no watchers.

const flags = {
  seconds: integerFlag({ description: 'Seconds of writes for each rate.', default: 10, min: 1 }),
  objectBytes: integerFlag({ description: 'Bytes of data in each object.', default: 1024, min: 1 }),
  turns: integerFlag({ description: 'How often each rate is measured.', default: 1, min: 1 }),
};

/** Writes a second. */
const rates = [40, 200, 400];
const objects = 500;
const warmUpWrites = 3_000;
const follower = 'gateway-2';
const collection = '/api/v1/namespaces/default/configmaps';

const { seconds, objectBytes, turns } = parseProgramFlags(flags);
await using stack = new AsyncDisposableStack();
const directory = await mkdtemp(join(tmpdir(), 'binnacle-following-'));
stack.defer(() => rm(directory, { recursive: true, force: true }));
const { target, pids } = stack.use(await startDistributedServer(directory, { plainGateway: false }));
const pid = pids.get(follower);
if (pid === undefined) throw new Error(`there is no process ${follower}`);
const followers = new Map([[follower, pid]]);
const writer = stack.use(new LoadProcess());

async function write(load: Pick<RequestLoad, 'operation' | 'requests' | 'rate'>): Promise<number> {
  const { failures } = await writer.run({
    kind: 'requests',
    target,
    collection,
    objects,
    objectBytes,
    connections: 16,
    query: '',
    run: 'following',
    ...load,
  });
  const [failure] = Object.entries(failures);
  if (failure !== undefined) throw new Error(`${failure[1]} writes failed with ${failure[0]}`);
  return load.requests;
}

/** Microseconds that the follower uses a second, while nothing is written. */
async function measureIdle(milliseconds: number): Promise<number> {
  const meter = new ThreadMeter(followers);
  await delay(milliseconds);
  return ((meter.cpuMicros()[follower] ?? 0) / milliseconds) * 1000;
}

/** Microseconds of the follower for each write, those of an idle one left out. */
async function measureWrites(rate: number, idle: number): Promise<{ reached: number; micros: number }> {
  const meter = new ThreadMeter(followers);
  const started = performance.now();
  const count = await write({ operation: 'patch', requests: rate * seconds, rate });
  // The last writes are on their way.
  await delay(200);
  const elapsed = (performance.now() - started) / 1000;
  return {
    reached: count / elapsed,
    micros: ((meter.cpuMicros()[follower] ?? 0) - idle * elapsed) / count,
  };
}

await write({ operation: 'create', requests: objects, rate: 0 });
await write({ operation: 'patch', requests: warmUpWrites, rate: 0 });
await delay(3_000);
const idle = await measureIdle(seconds * 1000);
console.log(`${follower}, idle: ${Math.round(idle)} µs of CPU a second`);
const rows: string[][] = [['writes/s wanted', 'reached', `µs of CPU of ${follower} a write`]];
for (let turn = 0; turn < turns; turn++)
  for (const rate of rates) {
    const { reached, micros } = await measureWrites(rate, idle);
    rows.push([String(rate), reached.toFixed(0), micros.toFixed(1)]);
  }
for (const line of textTable(rows)) console.log(line);
