import { setTimeout as delay } from 'node:timers/promises';
import { LoadProcess } from '../load/load-process.ts';
import { readProcessUsage } from '../measure/process-usage.ts';
import { currentVersion } from './fan-out.ts';
import { collection } from './requests.ts';
import type { Scenario, ScenarioContext, ScenarioResult } from './scenario.ts';

const rounds = 3;
const settleMs = 2000;
const limitKilobytes = 40;

/**
 * Memory of one more watcher: the growth from the first round of watchers to the last, divided by the
 * watchers of the rounds after the first. What the process takes once is in the first round.
 */
export const memoryScenarios: readonly Scenario[] = [
  {
    name: 'watch-memory',
    description: 'idle watchers, opened in three rounds',
    run: context => measureMemory('watch-memory', context),
  },
  {
    name: 'watch-memory-plain',
    description: 'idle watchers, opened in three rounds; without TLS',
    canRun: context => context.plain !== undefined,
    run: context => measureMemory('watch-memory-plain', { ...context, ...context.plain }),
  },
];

async function measureMemory(name: string, context: ScenarioContext): Promise<ScenarioResult> {
  const { settings, target, gateway, pids, progress } = context;
  const pid = pids.get(gateway) ?? 0;
  const version = await currentVersion(target);
  const paths = [`${collection}?watch=1&resourceVersion=${version}`];
  using stack = new DisposableStack();
  const started = performance.now();
  const resident: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const watchers = stack.use(new LoadProcess());
    await watchers.watch({ kind: 'watch', target, watchers: settings.watchers, paths });
    await delay(settleMs);
    resident.push(readProcessUsage(pid).residentBytes);
    progress(name, round, rounds);
  }
  const more = (rounds - 1) * settings.watchers;
  const bytes = Math.max(0, ((resident.at(-1) ?? 0) - (resident[0] ?? 0)) / more);
  return {
    name,
    parameters: { watchers: rounds * settings.watchers, kilobytesPerWatcher: Math.round(bytes / 102.4) / 10 },
    unit: 'watcher',
    units: rounds * settings.watchers,
    seconds: (performance.now() - started) / 1000,
    latencies: undefined,
    cpuMicrosPerUnit: {},
    residentBytes: { [gateway]: resident.at(-1) ?? 0 },
    bytes: 0,
    failures: {},
    targets: [
      {
        what: `gateway memory a watcher, ${name}`,
        unit: 'KB',
        limit: limitKilobytes,
        measured: bytes / 1024,
      },
    ],
  };
}
