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
const rates = [20, 50, 100, 150, 200, 400];
const objects = 500;
const warmUpWrites = 3_000;
/** Controllers watch through one of the gateways, so that one of these two has no watches: the one with the lower cost. */
const followers = ['gateway-2', 'gateway-3'];
const collection = '/api/v1/namespaces/default/configmaps';

const { seconds, objectBytes, turns } = parseProgramFlags(flags);
await using stack = new AsyncDisposableStack();
const directory = await mkdtemp(join(tmpdir(), 'binnacle-following-'));
stack.defer(() => rm(directory, { recursive: true, force: true }));
const { target, pids } = stack.use(
  await startDistributedServer(directory, { plainGateway: false, gateways: 3 }),
);
const measured = new Map(followers.map(name => [name, pids.get(name) ?? 0]));
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

type Micros = Readonly<Record<string, number>>;

/** Microseconds that each follower uses a second, while nothing is written. */
async function measureIdle(): Promise<Micros> {
  const meter = new ThreadMeter(measured);
  await delay(seconds * 1000);
  return Object.fromEntries(
    Object.entries(meter.cpuMicros()).map(([name, micros]) => [name, micros / seconds]),
  );
}

/** Microseconds of each follower for each write, those of an idle one left out. */
async function measureWrites(rate: number, idle: Micros): Promise<{ reached: number; micros: Micros }> {
  const meter = new ThreadMeter(measured);
  const started = performance.now();
  const count = await write({ operation: 'patch', requests: rate * seconds, rate });
  // The last writes are on their way.
  await delay(200);
  const elapsed = (performance.now() - started) / 1000;
  const micros = Object.entries(meter.cpuMicros()).map(([name, used]) => [
    name,
    (used - (idle[name] ?? 0) * elapsed) / count,
  ]);
  return { reached: count / elapsed, micros: Object.fromEntries(micros) };
}

await write({ operation: 'create', requests: objects, rate: 0 });
await write({ operation: 'patch', requests: warmUpWrites, rate: 0 });
await delay(3_000);
const idle = await measureIdle();
const rows: string[][] = [['writes/s wanted', 'reached', ...followers.map(name => `µs of ${name} a write`)]];
for (let turn = 0; turn < turns; turn++)
  for (const rate of rates) {
    const { reached, micros } = await measureWrites(rate, idle);
    const costs = followers.map(name => (micros[name] ?? 0).toFixed(1));
    rows.push([String(rate), reached.toFixed(0), ...costs]);
  }
for (const line of textTable(rows)) console.log(line);
