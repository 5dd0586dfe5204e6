import { setTimeout as delay } from 'node:timers/promises';
import { groups } from '@binnacle/api-names';
import { connect } from '../load/connect.ts';
import { LoadProcess } from '../load/load-process.ts';
import type { FloodLoad, LoadTarget, RequestLoad } from '../load/protocol.ts';
import { type LatencySummary, summarizeLatencies } from '../measure/latencies.ts';
import { measureStolenTime } from '../measure/stolen-time.ts';
import { collection } from './requests.ts';
import type { Scenario, ScenarioContext, ScenarioResult, Target } from './scenario.ts';

/** The part of the load that the flood consists of. */
type FloodParts = Pick<FloodLoad, 'writers' | 'lists' | 'bodies'>;

const rounds = 5;
/** A round in which the host took more than this part of the processors says nothing about fairness; it is run again. */
const mostStolen = 0.02;
const mostRounds = 20;
const requestsOfRound = 400;
/** Requests of the quiet user a second: one at a time. */
const rate = 100;
const settleMs = 3_000;
/** The p99 under the flood, as a multiple of the undisturbed one. */
const mostTimes = 1.5;
const bindings = `/apis/${groups.rbac}/v1/namespaces/bench/rolebindings`;

const floods: readonly { readonly name: string; readonly what: string; readonly parts: FloodParts }[] = [
  { name: 'writers', what: '64 writers', parts: { writers: 64, lists: 0, bodies: 0 } },
  {
    name: 'everything',
    what: '64 writers, 420 lists that are not read, 210 bodies that are half sent',
    parts: { writers: 64, lists: 420, bodies: 210 },
  },
];

/** A quiet user's requests, undisturbed and while another user floods. Both are users without special rights. */
export const fairnessScenarios: readonly Scenario[] = floods.flatMap(({ name, what, parts }) =>
  (['get', 'patch'] as const).map(operation => ({
    name: `fairness-${operation}-${name}`,
    description: `requests (${operation}) of one user while another one floods: ${what}`,
    run: (context: ScenarioContext) =>
      runFairness(context, { name: `fairness-${operation}-${name}`, operation, parts }),
  })),
);

interface FairnessRun {
  readonly name: string;
  readonly operation: 'get' | 'patch';
  readonly parts: FloodParts;
}

async function runFairness(
  context: ScenarioContext,
  { name, operation, parts }: FairnessRun,
): Promise<ScenarioResult> {
  const { target, settings, progress } = context;
  await allowUsers(target);
  const quiet: RequestLoad = {
    kind: 'requests',
    target: { ...target, user: 'quiet' },
    operation,
    collection,
    objects: settings.objects,
    objectBytes: settings.objectBytes,
    requests: requestsOfRound,
    connections: 1,
    rate,
    query: '',
    run: name,
  };
  const flood: FloodLoad = {
    kind: 'flood',
    target: { ...target, user: 'flood' },
    collection,
    objects: settings.objects,
    ...parts,
  };
  using quietProcess = new LoadProcess();
  await quietProcess.run(quiet);
  const alone: number[] = [];
  const disturbed: number[] = [];
  const failures: Record<string, number> = {};
  let writes = 0;
  const started = performance.now();
  // Undisturbed and disturbed rounds alternate, so that what else the machine does concerns both.
  let [round, counted] = [0, 0];
  while (counted < rounds && round < mostRounds) {
    round++;
    const stolen = measureStolenTime();
    const undisturbed = (await quietProcess.run(quiet)).latencies;
    using floodProcess = new LoadProcess();
    // The measurement is of the flood's load on the server, not of its client's load on the machine.
    floodProcess.yieldToOthers();
    await floodProcess.watch(flood);
    await delay(settleMs);
    const outcome = await quietProcess.run(quiet);
    for (const [code, count] of Object.entries(outcome.failures))
      failures[code] = (failures[code] ?? 0) + count;
    const written = (await floodProcess.finish()).latencies.length;
    if (stolen() <= mostStolen || mostRounds - round < rounds - counted) {
      counted++;
      alone.push(...undisturbed);
      disturbed.push(...outcome.latencies);
      writes += written;
    }
    progress(name, counted, rounds);
    await delay(settleMs);
  }
  const [before, during] = [summarizeLatencies(alone), summarizeLatencies(disturbed)];
  return {
    name,
    parameters: {
      ...parts,
      undisturbedP50: before?.p50 ?? 0,
      undisturbedP99: before?.p99 ?? 0,
      writesOfFlood: writes,
      roundsLeftOut: round - counted,
    },
    unit: 'request',
    units: disturbed.length,
    seconds: (performance.now() - started) / 1000,
    latencies: during,
    cpuMicrosPerUnit: {},
    residentBytes: {},
    bytes: 0,
    failures,
    targets: createTargets(name, { before, during, failures, writes }),
  };
}

function createTargets(
  name: string,
  {
    before,
    during,
    failures,
    writes,
  }: {
    readonly before: LatencySummary | undefined;
    readonly during: LatencySummary | undefined;
    readonly failures: Readonly<Record<string, number>>;
    readonly writes: number;
  },
): Target[] {
  return [
    {
      what: `requests that failed, ${name}`,
      unit: 'requests',
      limit: 0,
      measured: Object.values(failures).reduce((sum, count) => sum + count, 0),
    },
    {
      what: `p99 against an undisturbed one of ${before?.p99 ?? 0} ms (median ${before?.p50 ?? 0} → ${during?.p50 ?? 0}, ${writes} writes of the flood), ${name}`,
      unit: 'times',
      limit: mostTimes,
      measured: (during?.p99 ?? Number.POSITIVE_INFINITY) / (before?.p99 ?? 1),
    },
  ];
}

/** Gives both users the role edit where the load is. */
async function allowUsers(target: LoadTarget): Promise<void> {
  const connection = connect(target, 1);
  const body = Buffer.from(
    JSON.stringify({
      metadata: { name: 'fairness' },
      roleRef: { apiGroup: groups.rbac, kind: 'ClusterRole', name: 'edit' },
      subjects: ['quiet', 'flood'].map(name => ({
        apiGroup: groups.rbac,
        kind: 'User',
        name,
      })),
    }),
  );
  const response = await connection.request({ method: 'POST', path: bindings, body });
  response.resume();
  connection.close();
  const code = response.statusCode ?? 0;
  if (code !== 201 && code !== 409) throw new Error(`the users of the load were answered with ${code}`);
}
