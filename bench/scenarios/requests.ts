import { LoadProcess } from '../load/load-process.ts';
import type { RequestLoad } from '../load/protocol.ts';
import { summarizeLatencies } from '../measure/latencies.ts';
import { UsageMeter } from '../measure/process-usage.ts';
import type { Scenario, ScenarioContext, ScenarioResult, Settings, Target } from './scenario.ts';

/** The collection that all scenarios work on. */
export const collection = '/api/v1/namespaces/bench/configmaps';

interface RequestScenario {
  readonly name: string;
  readonly description: string;
  readonly load: (settings: Settings) => Partial<RequestLoad> & Pick<RequestLoad, 'operation' | 'requests'>;
  readonly targets?: (result: ScenarioResult, context: ScenarioContext) => readonly Target[];
  /** Measured on the gateway without TLS. */
  readonly isPlain?: boolean;
}

const listRequests = 200;
/** Requests before those that count, so that code is compiled and connections are open. */
const warmUpShare = 0.1;

const list: RequestScenario = {
  name: 'list',
  description: 'consistent lists of all objects, from the watch cache',
  load: () => ({ operation: 'list', requests: listRequests, connections: 1 }),
  targets: ({ name, cpuMicrosPerUnit }, { gateway, settings }) =>
    settings.objects === 5000 && settings.objectBytes === 1024
      ? [
          {
            what: `gateway CPU of a list of 5,000 objects of 1 KiB, ${name}`,
            unit: 'ms',
            limit: 15,
            measured: (cpuMicrosPerUnit[gateway] ?? 0) / 1000,
          },
        ]
      : [],
};

const definitions: readonly RequestScenario[] = [
  {
    name: 'create',
    description: 'creates of new objects',
    load: ({ objects }) => ({ operation: 'create', requests: objects }),
  },
  {
    name: 'get',
    description: 'consistent reads of single objects',
    load: ({ objects }) => ({ operation: 'get', requests: Math.min(objects * 2, 20_000) }),
  },
  {
    name: 'update',
    description: 'unconditional updates',
    load: ({ objects }) => ({ operation: 'update', requests: Math.min(objects, 4000) }),
  },
  {
    name: 'patch',
    description: 'merge patches',
    load: ({ objects }) => ({ operation: 'patch', requests: Math.min(objects, 4000) }),
  },
  {
    name: 'apply',
    description: 'server-side applies that force conflicts',
    load: ({ objects }) => ({ operation: 'apply', requests: Math.min(objects, 4000) }),
  },
  list,
  { ...list, name: 'list-plain', description: `${list.description}; without TLS`, isPlain: true },
  {
    name: 'list-selector',
    description: 'lists of one object in a hundred by label',
    load: () => ({
      operation: 'list',
      requests: listRequests,
      connections: 1,
      query: '?labelSelector=app%3Dapp-7',
    }),
  },
  {
    name: 'list-page',
    description: 'first pages of 500 objects, from storage',
    load: () => ({ operation: 'list', requests: listRequests, connections: 1, query: '?limit=500' }),
  },
];

/** Scenarios of requests that are answered one by one. */
export const requestScenarios: readonly Scenario[] = definitions.map(definition => ({
  name: definition.name,
  description: definition.description,
  canRun: context => definition.isPlain !== true || context.plain !== undefined,
  run: context => runRequests(definition, definition.isPlain ? { ...context, ...context.plain } : context),
}));

async function runRequests(definition: RequestScenario, context: ScenarioContext): Promise<ScenarioResult> {
  const { settings, target, pids, progress } = context;
  const load: RequestLoad = {
    kind: 'requests',
    target,
    collection,
    objects: settings.objects,
    objectBytes: settings.objectBytes,
    connections: settings.connections,
    rate: 0,
    query: '',
    run: definition.name,
    ...definition.load(settings),
  };
  using process = new LoadProcess(done => progress(definition.name, done, load.requests));
  if (load.operation !== 'create') {
    await process.run({ ...load, requests: Math.ceil(load.requests * warmUpShare) });
  }
  const meter = new UsageMeter(pids);
  const started = performance.now();
  const { latencies, bytes, failures } = await process.run(load);
  const seconds = (performance.now() - started) / 1000;
  progress(definition.name, load.requests, load.requests);
  const result: ScenarioResult = {
    name: definition.name,
    parameters: { connections: load.connections, objects: load.objects, objectBytes: load.objectBytes },
    unit: 'request',
    units: load.requests,
    seconds,
    latencies: summarizeLatencies(latencies),
    cpuMicrosPerUnit: perUnit(meter.cpuMicros(), load.requests),
    residentBytes: meter.residentBytes(),
    bytes,
    failures,
    targets: [],
  };
  return { ...result, targets: definition.targets?.(result, context) ?? [] };
}

/** Divides the CPU time of each process by the units of work. */
export function perUnit(cpuMicros: Readonly<Record<string, number>>, units: number): Record<string, number> {
  return Object.fromEntries(Object.entries(cpuMicros).map(([name, micros]) => [name, micros / units]));
}
