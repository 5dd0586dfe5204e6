import { setTimeout as delay } from 'node:timers/promises';
import { LoadProcess, type LoadResult } from '../load/load-process.ts';
import type { LoadTarget, RequestLoad } from '../load/protocol.ts';
import { readCollection } from '../load/read-collection.ts';
import { summarizeLatencies } from '../measure/latencies.ts';
import { UsageMeter } from '../measure/process-usage.ts';
import { collection, perUnit } from './requests.ts';
import type { Scenario, ScenarioContext, ScenarioResult, Settings, Target } from './scenario.ts';

interface FanOutScenario {
  readonly name: string;
  readonly description: string;
  /** Writes a second; 0: as many as there can be, so that events arrive in bursts. */
  readonly rate: (settings: Settings) => number;
  /** Selectors, used in turn; each chooses the same share of the objects. */
  readonly selectors: readonly string[];
  /** The share of the objects that each watcher sees. */
  readonly share: number;
  /** Most microseconds of gateway CPU a delivered event. */
  readonly limitMicros?: number;
  /** Measured on the gateway without TLS. */
  readonly isPlain?: boolean;
  /** Connections of HTTP/2 that the watchers share. */
  readonly http2Connections?: number;
}

const settleMs = 1500;
const deliveryTimeoutMs = 120_000;

const definitions: readonly FanOutScenario[] = [
  {
    name: 'watch-steady',
    description: 'all watchers see every event; events come one by one',
    rate: settings => settings.rate,
    selectors: [''],
    share: 1,
    limitMicros: 15,
  },
  {
    name: 'watch-burst',
    description: 'all watchers see every event; events come as fast as they can be written',
    rate: () => 0,
    selectors: [''],
    share: 1,
    limitMicros: 3,
  },
  {
    name: 'watch-selector',
    description: 'each watcher sees one event in ten, by label',
    rate: () => 0,
    selectors: Array.from({ length: 10 }, (_, shard) => `&labelSelector=shard%3Dshard-${shard}`),
    share: 0.1,
  },
];

const plainDefinitions: readonly FanOutScenario[] = definitions.map(definition => ({
  ...definition,
  name: `${definition.name}-plain`,
  description: `${definition.description}; without TLS`,
  isPlain: true,
}));

/** The sharing of HTTP/2 is measured against connections of their own, in the same run. */
const http2Connections = 10;
/** The part of it that they may cost; it is more so far (docs/decisions/0021-http-2.md). */
const http2Part = 0.4;

const http2Definitions: readonly FanOutScenario[] = definitions.map(({ limitMicros: _, ...definition }) => ({
  ...definition,
  name: `${definition.name}-http2`,
  description: `${definition.description}; over ${http2Connections} connections of HTTP/2`,
  http2Connections,
}));

const http2Scenarios: readonly Scenario[] = http2Definitions.map((definition, i) => ({
  name: definition.name,
  description: definition.description,
  async run(context) {
    const { limitMicros: _, ...alone } = definitions[i] ?? definition;
    const before = await runFanOut({ ...alone, name: definition.name }, context);
    const result = await runFanOut(definition, context);
    const cost = ({ cpuMicrosPerUnit }: ScenarioResult) => cpuMicrosPerUnit[context.gateway] ?? 0;
    const what = `gateway CPU a delivered event, ${definition.name}, part of that over HTTP/1.1`;
    return {
      ...result,
      failures: failuresOfBoth(before.failures, result.failures),
      parameters: { ...result.parameters, 'µs over HTTP/1.1': Number(cost(before).toFixed(1)) },
      // Bursts are written together whatever they go over.
      targets:
        definition.rate(context.settings) === 0
          ? []
          : [{ what, unit: '', limit: http2Part, measured: cost(result) / cost(before) }],
    };
  },
}));

/** Events delivered to many watchers: over TLS, over HTTP/2, then on a gateway behind something that ends TLS. */
export const fanOutScenarios: readonly Scenario[] = [
  ...[...definitions, ...plainDefinitions].map(createScenario),
  ...http2Scenarios,
];

function createScenario(definition: FanOutScenario): Scenario {
  return {
    name: definition.name,
    description: definition.description,
    canRun: context => !definition.isPlain || context.plain !== undefined,
    run: context => runFanOut(definition, definition.isPlain ? { ...context, ...context.plain } : context),
  };
}

async function runFanOut(definition: FanOutScenario, context: ScenarioContext): Promise<ScenarioResult> {
  const { settings, target, pids, gateway, progress } = context;
  const expected = Math.round(settings.watchers * settings.events * definition.share);
  const version = await currentVersion(target);
  let received = 0;
  using watchers = new LoadProcess(done => {
    received = done;
    progress(definition.name, done, expected);
  });
  using writer = new LoadProcess();
  const paths = definition.selectors.map(
    selector => `${collection}?watch=1&resourceVersion=${version}${selector}`,
  );
  const { http2Connections } = definition;
  await watchers.watch({
    ...{ kind: 'watch', target, watchers: settings.watchers, paths },
    ...(http2Connections !== undefined && { http2Connections }),
  });
  await delay(settleMs);
  const meter = new UsageMeter(pids);
  const started = performance.now();
  const writing = writer.run(writes(definition, context));
  const written = await writing;
  await waitFor(() => received >= expected);
  const seconds = (performance.now() - started) / 1000;
  const cpuMicrosPerUnit = perUnit(meter.cpuMicros(), received);
  const residentBytes = meter.residentBytes();
  const { latencies, bytes } = await watchers.finish();
  return {
    name: definition.name,
    parameters: {
      watchers: settings.watchers,
      ...(definition.http2Connections !== undefined && { http2Connections: definition.http2Connections }),
      writes: settings.events,
      writesPerSecond: definition.rate(settings) || 'unbounded',
      objectBytes: settings.objectBytes,
    },
    unit: 'delivered event',
    units: received,
    seconds,
    latencies: summarizeLatencies(latencies),
    cpuMicrosPerUnit,
    residentBytes,
    bytes,
    failures: failuresWithMissing(written, expected - received),
    targets: createTargets(definition, cpuMicrosPerUnit[gateway] ?? 0),
  };
}

function writes(definition: FanOutScenario, { settings, writeTarget }: ScenarioContext): RequestLoad {
  return {
    kind: 'requests',
    target: writeTarget,
    operation: 'patch',
    collection,
    objects: settings.objects,
    objectBytes: settings.objectBytes,
    requests: settings.events,
    connections: settings.connections,
    rate: definition.rate(settings),
    query: '',
    run: definition.name,
  };
}

function createTargets({ name, limitMicros }: FanOutScenario, measured: number): readonly Target[] {
  if (limitMicros === undefined) return [];
  return [{ what: `gateway CPU a delivered event, ${name}`, unit: 'µs', limit: limitMicros, measured }];
}

function failuresWithMissing(written: LoadResult, missing: number): Record<string, number> {
  return missing > 0 ? { ...written.failures, 'events not delivered': missing } : written.failures;
}

/** The failures of two runs; those of the one over HTTP/1.1 are named as such. */
export function failuresOfBoth(
  overHttp1: Readonly<Record<string, number>>,
  overHttp2: Readonly<Record<string, number>>,
): Record<string, number> {
  const named = Object.entries(overHttp1).map(([what, count]) => [`${what} (HTTP/1.1)`, count] as const);
  return { ...overHttp2, ...Object.fromEntries(named) };
}

async function waitFor(condition: () => boolean): Promise<void> {
  const end = performance.now() + deliveryTimeoutMs;
  while (!condition() && performance.now() < end) await delay(5);
}

/** The version that the collection has now. */
export async function currentVersion(target: LoadTarget): Promise<string> {
  return (await readCollection(target, collection)).version;
}
