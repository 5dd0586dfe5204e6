import type { LoadUsage } from '../load/protocol.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { ThreadMeter } from '../measure/process-usage.ts';
import { type MachineUse, measureMachineUse } from '../measure/stolen-time.ts';
import { isBackend } from '../report/compare-forms.ts';
import { units, type WorkName } from './axes.ts';
import { findLimits } from './find-limits.ts';
import type { WorkResult } from './growth-report.ts';

/** Figures of a stretch of time. */
interface Stretch {
  readonly seconds: number;
  readonly cpuMicros: Readonly<Record<string, number>>;
  readonly machine: MachineUse;
  /** CPU microseconds of the bench itself. */
  readonly benchMicros: number;
}

/** Measures the processes of a server, and the machine, from now on. */
export function measureStretch(pids: ReadonlyMap<string, number>): () => Stretch {
  const meter = new ThreadMeter(pids);
  const machine = measureMachineUse();
  const bench = process.cpuUsage();
  const started = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(bench);
    return {
      seconds: (performance.now() - started) / 1000,
      cpuMicros: meter.cpuMicros(),
      machine: machine(),
      benchMicros: user + system,
    };
  };
}

/** CPU microseconds a second in a stretch without work, by process. */
export function microsPerSecond({ cpuMicros, seconds }: Stretch): Record<string, number> {
  return Object.fromEntries(Object.entries(cpuMicros).map(([name, micros]) => [name, micros / seconds]));
}

/** The outcome of one kind of work. */
export interface DoneWork {
  readonly work: WorkName;
  readonly units: number;
  readonly stretch: Stretch;
  readonly loads: readonly LoadUsage[];
  readonly rate: { readonly wanted: number; readonly reached: number } | undefined;
  readonly requestLatencies: LatencySummary | undefined;
  readonly deliveryLatencies: LatencySummary | undefined;
  readonly failures: Readonly<Record<string, number>>;
}

/** Figures of a work; what its processes take in the same time without work, a second, is not counted. */
export function resultFromWork(
  done: DoneWork,
  idle: Readonly<Record<string, number>>,
  processors: number,
): WorkResult {
  const { work, stretch, loads, rate, requestLatencies, deliveryLatencies, failures } = done;
  const { seconds, cpuMicros } = stretch;
  const entries = Object.entries(cpuMicros);
  const cpuMicrosPerUnit = Object.fromEntries(
    entries.map(([name, micros]) => [name, Math.max(0, micros - (idle[name] ?? 0) * seconds) / done.units]),
  );
  const loadMicros = loads.reduce((sum, { cpuMicros: micros }) => sum + micros, 0);
  const serverMicros = entries.reduce((sum, [, micros]) => sum + micros, 0);
  const ownPart = (serverMicros + loadMicros + stretch.benchMicros) / (seconds * 1e6 * processors);
  const { busy, stolen } = stretch.machine;
  const machine = { busy, stolen, others: Math.max(0, busy - stolen - ownPart) };
  const loadLoopUtilization = Math.max(0, ...loads.map(({ loopUtilization }) => loopUtilization));
  const [process = '', most = 0] = entries.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const busiest = { process, processors: most / (seconds * 1e6) };
  return {
    work,
    unit: units[work],
    units: done.units,
    seconds,
    cpuMicrosPerUnit,
    ownMicrosPerUnit: Object.entries(cpuMicrosPerUnit)
      .filter(([name]) => !isBackend(name))
      .reduce((sum, [, micros]) => sum + micros, 0),
    loadMicrosPerUnit: loadMicros / done.units,
    loadLoopUtilization,
    requestLatencies,
    deliveryLatencies,
    machine,
    failures,
    limits: findLimits({ loadLoopUtilization, machine, failures, rate, busiest }),
  };
}
