import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { groups } from '@binnacle/api-names';
import { integerFlag, parseProgramFlags } from '@binnacle/flags';
import { findMedian } from '../encoding/figures.ts';
import { LoadProcess } from '../load/load-process.ts';
import type { RequestLoad } from '../load/protocol.ts';
import { ThreadMeter } from '../measure/process-usage.ts';
import { textTable } from '../report/text-table.ts';
import { createNamespace } from '../server/forked-server.ts';
import type { MeasuredServer } from '../server/measured-server.ts';
import { startStandaloneServer } from '../server/standalone-server.ts';

// CPU time of a create, a get and an update of the standalone form, each object watched once, without traces and with them. The servers are
// measured in turns, so that what slows the machine slows all of them. Two servers have no traces: the difference between them is
// what one process differs from another by, and a difference below that is none.

/** Gets and updates go round these; the first creates make them. */
const objects = 100;

const flags = {
  rounds: integerFlag({ description: 'How often all servers are started anew.', default: 3, min: 1 }),
  turns: integerFlag({ description: 'Turns of each server and operation in a round.', default: 10, min: 1 }),
  requests: integerFlag({ description: 'Requests of a turn.', default: 1000, min: objects }),
};

/** Requests of a million that are sampled; undefined: there are no traces. */
const variants = [
  { name: 'off', rate: undefined },
  { name: 'off, a second server', rate: undefined },
  { name: 'on, 1 %', rate: 10_000 },
  { name: 'on, every request', rate: 1_000_000 },
] as const;
const operations = ['create', 'get', 'update'] as const;
const connections = 4;
const warmUpTurns = 3;
/** The queue of spans waits a second for more: what a turn exports is part of it. */
const settleMs = 1_200;
const collection = '/api/v1/namespaces/bench/configmaps';

type Variant = (typeof variants)[number];
type Operation = (typeof operations)[number];

const { rounds, turns, requests } = parseProgramFlags(flags);
await using stack = new AsyncDisposableStack();
const directory = await mkdtemp(join(tmpdir(), 'binnacle-tracing-'));
stack.defer(() => rm(directory, { recursive: true, force: true }));

/** A collector that takes every request over gRPC and looks at none. */
const collector = createServer();
collector.on('stream', stream => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.on('error', () => {});
  // A message without fields: not compressed, of no bytes.
  stream.resume().on('end', () => stream.end(Buffer.alloc(5)));
});
await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve));
stack.defer(() => void collector.close());
const { port } = collector.address() as AddressInfo; // It listens on a port.

/** A server with its load, its watcher and what was measured of it. */
interface Contender {
  readonly variant: Variant;
  readonly server: MeasuredServer;
  readonly load: LoadProcess;
  created: number;
}

async function startContender(
  variant: Variant,
  round: number,
  ofRound: AsyncDisposableStack,
): Promise<Contender> {
  const name = `${variants.indexOf(variant)}-${round}`;
  const file = join(directory, `${name}.yaml`);
  await writeFile(
    file,
    `{ apiVersion: ${groups.apiserverConfig}/v1alpha1, kind: TracingConfiguration, endpoint: '127.0.0.1:${port}', samplingRatePerMillion: ${variant.rate ?? 0} }`,
  );
  const traced = variant.rate === undefined ? [] : [`--tracing-config-file=${file}`];
  const server = ofRound.use(await startStandaloneServer(join(directory, name), { arguments: traced }));
  await createNamespace(server.target, 'bench');
  const watcher = ofRound.use(new LoadProcess());
  await watcher.watch({
    kind: 'watch',
    target: server.target,
    watchers: 1,
    paths: [`${collection}?watch=true`],
  });
  return { variant, server, load: ofRound.use(new LoadProcess()), created: 0 };
}

/** Microseconds of the server for one request of a turn. */
async function measureTurn(contender: Contender, operation: Operation): Promise<number> {
  const { server, load, created } = contender;
  const command: RequestLoad = {
    ...{ kind: 'requests', target: server.target, operation, collection, connections, requests },
    ...{ objectBytes: 1024, rate: 0, query: '', run: 'bench' },
    ...(operation === 'create' ? { first: created, objects: requests } : { objects }),
  };
  if (operation === 'create') contender.created += requests;
  const meter = new ThreadMeter(server.pids);
  const { failures } = await load.run(command);
  await delay(settleMs);
  const micros = meter.cpuMicros()[server.gateway] ?? Number.NaN;
  if (Object.keys(failures).length > 0) throw new Error(`${operation}: ${JSON.stringify(failures)}`);
  return micros / requests;
}

/** By variant and operation, the microseconds of each turn. */
const measured = new Map(
  variants.map(variant => [variant, { create: [] as number[], get: [] as number[], update: [] as number[] }]),
);

for (let round = 0; round < rounds; round++) {
  await using ofRound = new AsyncDisposableStack();
  const contenders: Contender[] = [];
  for (const variant of variants) contenders.push(await startContender(variant, round, ofRound));
  for (let turn = -warmUpTurns; turn < turns; turn++)
    for (const operation of operations)
      for (const [index] of contenders.entries()) {
        // Another one is the first of each turn.
        const contender = contenders[(index + turn + warmUpTurns) % contenders.length];
        if (contender === undefined) continue;
        const micros = await measureTurn(contender, operation);
        if (turn >= 0) measured.get(contender.variant)?.[operation].push(micros);
      }
  printCosts(round + 1);
}

/** The costs as measured in these rounds: a later table replaces an earlier one. */
function printCosts(measuredRounds: number): void {
  process.stdout.write(
    `CPU of a request, and its difference from the first: medians of ${measuredRounds * turns} turns of ${requests}\n`,
  );
  const rows = variants.map(variant => [
    variant.name,
    ...operations.map(operation => describeCost(variant, operation)),
  ]);
  for (const line of textTable([['traces', ...operations], ...rows])) console.log(line);
}

/** The median of the turns, and that of their differences from the same turn without traces, in percent. */
function describeCost(variant: Variant, operation: Operation): string {
  const base = measured.get(variants[0])?.[operation] ?? [];
  const values = measured.get(variant)?.[operation] ?? [];
  const percent = values.map((value, turn) => (value / (base[turn] ?? Number.NaN) - 1) * 100);
  return `${findMedian(values).toFixed(0)} µs, ${findMedian(percent).toFixed(1)} %`;
}
