import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { LoadProcess } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { readCollection } from '../load/read-collection.ts';
import { summarizeLatencies } from '../measure/latencies.ts';
import type { MeasuredServer } from '../server/measured-server.ts';
import type { Axis, Setting, WorkName } from './axes.ts';
import { commonLabel, type GrowthObjects, rareLabel } from './growth-objects.ts';
import type { Memory, StepResult, WorkResult } from './growth-report.ts';
import { readMemory } from './read-memory.ts';
import { type DoneWork, measureStretch, microsPerSecond, resultFromWork } from './work-meter.ts';

/** The server, objects and load processes of a step. */
export interface StepContext {
  readonly axis: Axis;
  readonly server: MeasuredServer;
  readonly objects: GrowthObjects;
  /** Sends the requests of works without watchers. */
  readonly requests: LoadProcess;
  /** Time of a measurement. */
  readonly stepMs: number;
  readonly progress: (what: string, done: number, total: number) => void;
}

const settleMs = 1_500;
const deliveryTimeoutMs = 120_000;
const writeConnections = 64;
/** Most watchers of one process; more are shared among several, each with an event loop of its own. */
const watchersOfProcess = 2_500;
/** Lists are sent until so many objects were listed. */
const listedObjects = 100_000;
const [mostLists, selectiveLists] = [100, 50];
const pageSize = 500;

/** Measures the works of an axis at one of its steps. The objects of the setting are there when it ends. */
export async function measureStep(setting: Setting, context: StepContext): Promise<StepResult> {
  const { axis, server, objects, stepMs } = context;
  const started = performance.now();
  const creates = axis.works.create === undefined ? 0 : countCreates(setting, context);
  await objects.createNamespaces(setting);
  await objects.fill(setting, setting.objects - creates);
  await delay(settleMs);
  let idle = await measureIdle(server, stepMs);
  let memory: Readonly<Record<string, Memory>> | undefined;
  const works: WorkResult[] = [];
  for (const work of Object.keys(axis.works) as WorkName[]) {
    context.progress(work, works.length, Object.keys(axis.works).length);
    if (work === 'delivery' || work === 'watched-write') {
      const watched = await measureWatches(work, setting, context);
      ({ idle, memory } = watched);
      works.push(watched.result);
    } else works.push(resultFromWork(await measureRequests(work, setting, context), idle, cpus().length));
  }
  return {
    value: setting[axis.grows],
    setting,
    seconds: (performance.now() - started) / 1000,
    idleMicrosPerSecond: idle,
    memory: memory ?? (await readMemory(server)),
    works,
  };
}

/** The last objects of a step are created while that is measured. */
function countCreates({ objects, requestsPerSecond }: Setting, context: StepContext): number {
  const missing = objects - context.objects.count;
  return Math.min(missing, Math.max(1, Math.round((requestsPerSecond * context.stepMs) / 1000)));
}

async function measureIdle(server: MeasuredServer, milliseconds: number): Promise<Record<string, number>> {
  const stretch = measureStretch(server.pids);
  await delay(milliseconds);
  return microsPerSecond(stretch());
}

type RequestWork = Exclude<WorkName, 'delivery' | 'watched-write'>;

async function measureRequests(work: RequestWork, setting: Setting, context: StepContext): Promise<DoneWork> {
  const { server, objects, requests: process, stepMs } = context;
  const rate = setting.requestsPerSecond;
  const requests = Math.max(1, Math.round((rate * stepMs) / 1000));
  const path = objects.pathOfAll(setting);
  const all = work === 'list' ? (await readCollection(server.target, path)).objects : 0;
  const oneByOne = { operation: 'list', collection: path, connections: 1 } as const;
  const loads: Record<RequestWork, Pick<RequestLoad, 'operation' | 'requests'> & Partial<RequestLoad>> = {
    create: {
      operation: 'create',
      requests: setting.objects - objects.count,
      first: objects.count,
      rate,
    },
    get: { operation: 'get', requests, rate },
    patch: { operation: 'patch', requests, rate },
    list: { ...oneByOne, requests: Math.min(mostLists, Math.ceil(listedObjects / all)) },
    'list-by-label': { ...oneByOne, requests: selectiveLists, query: `?${selectorFromLabels(rareLabel)}` },
    'list-page': { ...oneByOne, requests: selectiveLists, query: `?limit=${pageSize}` },
  };
  const load = objects.load(setting, loads[work]);
  const stretch = measureStretch(server.pids);
  const { latencies, failures, usage } = await process.run(load);
  const measured = stretch();
  if (work === 'create') objects.created(load.requests);
  return {
    work,
    units: work === 'list' ? load.requests * all : load.requests,
    stretch: measured,
    loads: [usage],
    rate: load.rate > 0 ? { wanted: rate, reached: load.requests / measured.seconds } : undefined,
    requestLatencies: summarizeLatencies(latencies),
    deliveryLatencies: undefined,
    failures,
  };
}

/** A work with watchers, and what was measured while they were open. */
interface WatchedResult {
  readonly result: WorkResult;
  readonly idle: Readonly<Record<string, number>>;
  readonly memory: Readonly<Record<string, Memory>>;
}

async function measureWatches(
  work: 'delivery' | 'watched-write',
  setting: Setting,
  context: StepContext,
): Promise<WatchedResult> {
  const { axis, server, objects } = context;
  const stepMs = context.stepMs * (axis.stepFactor ?? 1);
  const rate = setting.writesPerSecond;
  const writes = Math.max(1, Math.round((rate * stepMs) / 1000));
  const expected = writes * setting.watchers;
  using watchers = new OpenedWatchers();
  await watchers.open(setting, context);
  using writer = new LoadProcess();
  await delay(settleMs);
  const idle = await measureIdle(server, stepMs);
  watchers.measure();
  const target = axis.isSpread ? server.target : server.writeTarget;
  const load = objects.load(setting, {
    operation: 'patch',
    requests: writes,
    rate,
    target,
    connections: writeConnections,
  });
  const stretch = measureStretch(server.pids);
  const written = await writer.run(load);
  const { seconds: writeSeconds } = stretch();
  await watchers.waitFor(expected);
  const measured = stretch();
  const memory = await readMemory(server);
  const { received, latencies, usages } = await watchers.finish();
  const missing = expected - received;
  const failures =
    missing === 0 ? written.failures : { ...written.failures, 'events more or fewer than written': missing };
  const result = resultFromWork(
    {
      work,
      units: work === 'delivery' ? received : writes,
      stretch: measured,
      loads: [...usages, written.usage],
      rate: { wanted: rate, reached: writes / writeSeconds },
      requestLatencies: summarizeLatencies(written.latencies),
      deliveryLatencies: summarizeLatencies(latencies),
      failures,
    },
    idle,
    cpus().length,
  );
  return { result, idle, memory };
}

function selectorFromLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return `labelSelector=${encodeURIComponent(pairs.join(','))}`;
}

/** The watchers of a step, in processes of their own. */
class OpenedWatchers implements Disposable {
  readonly #stack = new DisposableStack();
  readonly #processes: LoadProcess[] = [];
  readonly #received: number[] = [];

  /** Opens those that get every write, and those whose selectors match none. */
  async open(setting: Setting, { axis, server, objects }: StepContext): Promise<void> {
    const path = objects.pathOfAll(setting);
    const { version } = await readCollection(server.target, path);
    const watch = `${path}?watch=1&resourceVersion=${version}&`;
    const others = Array.from(
      { length: setting.selectors },
      (_, i) => `${watch}${selectorFromLabels({ app: `other-${i}` })}`,
    );
    const targets = axis.isSpread ? server.gateways : [server.target];
    for (const [i, target] of targets.entries()) {
      const share = Math.floor((setting.watchers + i) / targets.length);
      await this.#openAll(target, share, [`${watch}${selectorFromLabels(commonLabel)}`], setting);
    }
    if (others.length > 0) await this.#openAll(server.target, setting.otherWatchers, others, setting);
  }

  async #openAll(
    target: LoadTarget,
    watchers: number,
    paths: readonly string[],
    { watchesOnConnection }: Setting,
  ): Promise<void> {
    for (let opened = 0; opened < watchers; opened += watchersOfProcess) {
      const count = Math.min(watchersOfProcess, watchers - opened);
      const index = this.#received.push(0) - 1;
      const process = this.#stack.use(
        new LoadProcess(done => {
          this.#received[index] = done;
        }),
      );
      this.#processes.push(process);
      await process.watch({
        ...{ kind: 'watch', target, watchers: count, paths },
        ...(watchesOnConnection > 0 && { http2Connections: Math.ceil(count / watchesOnConnection) }),
      });
    }
  }

  /** Begins the usage of the processes. */
  measure(): void {
    for (const process of this.#processes) process.measure();
  }

  get #sum(): number {
    return this.#received.reduce((sum, events) => sum + events, 0);
  }

  /** Waits until so many events have come, for two minutes at most. */
  async waitFor(events: number): Promise<void> {
    const end = performance.now() + deliveryTimeoutMs;
    while (this.#sum < events && performance.now() < end) await delay(5);
  }

  /** Ends the watches; events that come twice show in the number of those received. */
  async finish() {
    await delay(settleMs / 10);
    const received = this.#sum;
    const results = await Promise.all(this.#processes.map(process => process.finish()));
    return {
      received,
      latencies: results.flatMap(({ latencies }) => latencies),
      usages: results.map(({ usage }) => usage),
    };
  }

  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}
