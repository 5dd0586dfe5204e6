import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { choiceFlag, integerFlag, parseProgramFlags } from '@binnacle/flags';
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
  turns: integerFlag({
    description: 'Turns of each case.',
    default: 15,
    min: 1,
  }),
  requests: integerFlag({
    description: 'Creates, gets and updates of a turn, of each as many.',
    default: 1000,
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

const [sampled, notSampled] = ['01', '00'];
const all = [sampled];
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
  { name: 'on, all sampled', server: -1, base: 'on, none sampled', traceFlags: all },
];
const untracedCases: readonly Case[] = [
  { name: 'off', server: -3, traceFlags: [] },
  { name: 'off, a second server', server: -2, base: 'off', traceFlags: [] },
];

const operations = ['create', 'get', 'update'] as const;
const columns = [...operations, 'mean with exports'] as const;
const connections = 4;
const warmUpTurns = 2;
const promiseTurns = 3;
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

/** A figure of each column, for one request. */
type Figures = readonly number[];

/** Measures a turn: the microseconds of all processes, and the bytes that they allocate where these are counted. */
async function measureTurn(each: Case): Promise<{ readonly micros: Figures; readonly bytes: Figures }> {
  const micros: number[] = [];
  const bytes: number[] = [];
  const measure = async (work: () => Promise<unknown>) => {
    await servers.ask?.('count bytes');
    const meter = new ThreadMeter(servers.pids);
    await work();
    micros.push(Object.values(meter.cpuMicros()).reduce((sum, used) => sum + used, 0) / requests);
    bytes.push(((await servers.ask?.('stop'))?.bytes ?? Number.NaN) / requests);
  };
  for (const operation of operations) await measure(() => send(each, operation));
  await measure(() => delay(settleMs));
  return { micros: withMean(micros), bytes: withMean(bytes) };
}

/** Figures by operation and of the time after all, with the mean of a request in place of the latter. */
function withMean(figures: Figures): Figures {
  const sum = figures.reduce((total, figure) => total + figure, 0);
  return [...figures.slice(0, operations.length), sum / operations.length];
}

/** Promises of a request, by operation. */
async function countPromises(each: Case, ask: NonNullable<typeof servers.ask>): Promise<Figures> {
  const promises: number[] = [];
  for (const operation of operations) {
    await ask('count promises');
    await send(each, operation);
    promises.push((await ask('stop')).promises / requests);
  }
  return promises;
}

/** The figures of turns by case. */
class Measured {
  readonly #figures = new Map(cases.map(({ name }) => [name, [] as Figures[]]));

  add({ name }: Case, figures: Figures): void {
    this.#figures.get(name)?.push(figures);
  }

  /**
   * Prints the medians, each with its difference from that of the case that it is compared with. Every sampled request costs the same, so
   * that a hundredth of what all of them cost is what 1 % cost, with a hundredth of the error; the case itself shows that it is not more.
   */
  print(title: string, titles: readonly string[], digits = 0): void {
    const rows = cases.flatMap(({ name, base, traceFlags }) => {
      const medians = titles.map((_, column) => findMedian(this.#column(name, column)).toFixed(digits));
      if (base === undefined) return [[name, '', ...medians]];
      const differences = (part: number) =>
        titles.map((_, column) => {
          const { percent, low, high } = compareTurns(this.#column(name, column), this.#column(base, column));
          return `${signed(percent / part)} % (${signed(low / part)} to ${signed(high / part)})`;
        });
      const row = [
        name,
        base,
        ...differences(1).map((difference, column) => `${medians[column]} ${difference}`),
      ];
      return traceFlags === all ? [row, ['a hundredth of that', '', ...differences(100)]] : [row];
    });
    console.log(`\n${title} of a request; in brackets the bounds of its difference, at 95 %`);
    for (const line of textTable([['traces', 'compared with', ...titles], ...rows])) console.log(line);
  }

  #column(name: string, column: number): number[] {
    return (this.#figures.get(name) ?? []).map(figures => figures[column] ?? Number.NaN);
  }
}

const [cpu, allocations, promises] = [new Measured(), new Measured(), new Measured()];
for (let turn = -warmUpTurns; turn < turns; turn++)
  // In a fixed order each case would follow the same one, and find what that has left: objects to collect, memory in use.
  for (const each of shuffled(cases)) {
    const { micros, bytes } = await measureTurn(each);
    if (turn < 0) continue;
    cpu.add(each, micros);
    allocations.add(each, bytes);
  }
console.log(`${form}: ${turns} turns of ${requests} requests of each operation`);
cpu.print('Microseconds of CPU', columns);
const { ask } = servers;
if (ask !== undefined) {
  allocations.print('Bytes of JavaScript objects', columns);
  // Afterwards: the hook that counts them slows every promise down.
  for (let turn = 0; turn < promiseTurns; turn++)
    for (const each of shuffled(cases)) promises.add(each, await countPromises(each, ask));
  promises.print('Promises', operations, 1);
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
