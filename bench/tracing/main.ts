import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { choiceFlag, integerFlag, parseProgramFlags } from '@binnacle/flags';
import type { CountCommand, Counts } from '../ceremony/counts.ts';
import { findMedian } from '../encoding/figures.ts';
import { LoadProcess } from '../load/load-process.ts';
import { ThreadMeter } from '../measure/process-usage.ts';
import { textTable } from '../report/text-table.ts';
import { createNamespace } from '../server/forked-server.ts';
import { compareTurns } from './compare-turns.ts';
import { startStandaloneServers, startTracedServices } from './start-servers.ts';

// The cost of traces for a create, a get and an update of an object that is watched once. Everything that is compared runs in the same
// processes, with the same compiled code, in short turns of a random order: processes of the same program differ by far more than traces cost. Clients
// say which of their requests are sampled, so that the same server has turns with traces and turns without.

const flags = {
  form: choiceFlag(['standalone', 'distributed'], {
    description: 'The form that is measured. Only the standalone form has turns without tracing, and counts.',
    default: 'standalone',
  }),
  turns: integerFlag({ description: 'Turns of each case.', default: 40, min: 1 }),
  requests: integerFlag({
    description: 'Creates, gets and updates of a turn, of each as many.',
    default: 300,
    min: 100,
  }),
};

/** One way to send requests. */
interface Case {
  readonly name: string;
  /** Place among the servers from the end: the last one records traces. */
  readonly server: -1 | -2 | -3;
  /** The case that it is compared with. */
  readonly base?: string;
  readonly traceFlags: readonly string[];
}

const sampled = '01';
const notSampled = '00';
const onePercent = [sampled, ...Array<string>(99).fill('')];
const tracedCases: readonly Case[] = [
  { name: 'on, none sampled', server: -1, traceFlags: [] },
  { name: 'on, 1 % sampled', server: -1, base: 'on, none sampled', traceFlags: onePercent },
  {
    name: 'on, ids of clients that sample none',
    server: -1,
    base: 'on, none sampled',
    traceFlags: [notSampled],
  },
  { name: 'on, all sampled', server: -1, base: 'on, none sampled', traceFlags: [sampled] },
];
const untracedCases: readonly Case[] = [
  { name: 'off', server: -3, traceFlags: [] },
  { name: 'off, a second server', server: -2, base: 'off', traceFlags: [] },
];

const operations = ['create', 'get', 'update'] as const;
const columns = [...operations, 'mean with exports'] as const;
const connections = 4;
const warmUpTurns = 5;
/** Updates and gets go round these. */
const objects = 100;
/** The queue of spans waits a second for more: what a turn exports is part of it. */
const settleMs = 1_100;
const collection = '/api/v1/namespaces/bench/configmaps';

const { form, turns, requests } = parseProgramFlags(flags);
await using stack = new AsyncDisposableStack();
const directory = await mkdtemp(join(tmpdir(), 'binnacle-tracing-'));
stack.defer(() => rm(directory, { recursive: true, force: true }));
const servers = stack.use(
  await (form === 'standalone' ? startStandaloneServers(directory) : startTracedServices(directory)),
);
const cases =
  form === 'standalone'
    ? [...untracedCases, ...tracedCases.map(each => ({ base: 'off', ...each }))]
    : tracedCases;
const load = stack.use(new LoadProcess());
const created = new Map<number, number>();
for (const target of servers.targets) {
  await createNamespace(target, 'bench');
  const watcher = stack.use(new LoadProcess());
  await watcher.watch({ kind: 'watch', target, watchers: 1, paths: [`${collection}?watch=true`] });
}

async function send({ server, traceFlags }: Case, operation: (typeof operations)[number]): Promise<void> {
  const target = servers.targets.at(server);
  if (target === undefined) throw new Error('there is no such server');
  const first = created.get(server) ?? 0;
  if (operation === 'create') created.set(server, first + requests);
  const { failures } = await load.run({
    ...{ kind: 'requests', target, operation, collection, connections, requests, traceFlags },
    ...{ objectBytes: 1024, rate: 0, query: '', run: 'bench' },
    ...(operation === 'create' ? { first, objects: requests } : { objects }),
  });
  if (Object.keys(failures).length > 0) throw new Error(`${operation}: ${JSON.stringify(failures)}`);
}

/** Microseconds of all processes for one request of a turn, by operation, and for the mean of all with what they export. */
async function measureTurn(each: Case): Promise<number[]> {
  const sum = (meter: ThreadMeter) =>
    Object.values(meter.cpuMicros()).reduce((all, micros) => all + micros, 0);
  const whole = new ThreadMeter(servers.pids);
  const costs: number[] = [];
  for (const operation of operations) {
    const meter = new ThreadMeter(servers.pids);
    await send(each, operation);
    costs.push(sum(meter) / requests);
  }
  await delay(settleMs);
  return [...costs, sum(whole) / requests / operations.length];
}

/** By case, the costs of each turn. */
const measured = new Map(cases.map(({ name }) => [name, [] as number[][]]));
for (let turn = -warmUpTurns; turn < turns; turn++)
  // In a fixed order each case would follow the same one, and find what that has left: objects to collect, memory in use.
  for (const each of shuffled(cases)) {
    const costs = await measureTurn(each);
    if (turn >= 0) measured.get(each.name)?.push(costs);
  }

console.log(
  `CPU of a request in µs, and its difference with the bounds that hold it at 95 %: ${turns} turns of ${requests} requests`,
);
const costRows = cases.map(({ name, base }) => {
  const costs = measured.get(name) ?? [];
  const bases = measured.get(base ?? '');
  const cells = columns.map((_, column) => {
    const values = valuesIn(costs, column);
    const cost = findMedian(values).toFixed(0);
    if (bases === undefined) return cost;
    const { percent, low, high } = compareTurns(values, valuesIn(bases, column));
    return `${cost} ${signed(percent)} % (${signed(low)} to ${signed(high)})`;
  });
  return [name, base ?? '', ...cells];
});
for (const line of textTable([['traces', 'compared with', ...columns], ...costRows])) console.log(line);

if (servers.ask !== undefined) {
  const countRows: string[][] = [];
  for (const each of cases) countRows.push([each.name, ...(await countCase(each, servers.ask))]);
  console.log('\nBytes of JavaScript objects and promises of a request');
  for (const line of textTable([['traces', ...operations], ...countRows])) console.log(line);
}

/** Bytes and promises of a request, by operation. */
async function countCase(each: Case, ask: (command: CountCommand) => Promise<Counts>): Promise<string[]> {
  const cells: string[] = [];
  for (const operation of operations) {
    const count = async (command: CountCommand) => {
      await ask(command);
      await send(each, operation);
      return ask('stop');
    };
    const { bytes } = await count('count bytes');
    const { promises } = await count('count promises');
    cells.push(`${(bytes / requests).toFixed(0)} B, ${(promises / requests).toFixed(2)}`);
  }
  return cells;
}

function valuesIn(costs: readonly (readonly number[])[], column: number): number[] {
  return costs.map(turn => turn[column] ?? Number.NaN);
}

function signed(percent: number): string {
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent).toFixed(2)}`;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map(value => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
