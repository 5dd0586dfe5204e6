import type { ScenarioResult } from '../scenarios/scenario.ts';
import type { BenchReport } from './bench-report.ts';

/** The cost of one scenario in both forms. */
export interface ComparisonRow {
  readonly name: string;
  readonly unit: string;
  /** CPU microseconds a unit of all of Binnacle's processes together. */
  readonly standaloneMicros: number;
  readonly distributedMicros: number;
  /** `distributedMicros` by `standaloneMicros`. */
  readonly ratio: number;
  /** The cost of each backend of the distributed form, by `standaloneMicros`. */
  readonly backends: Readonly<Record<string, number>>;
  /** Units a second. */
  readonly standaloneRate: number;
  readonly distributedRate: number;
  /** CPU microseconds a unit in the distributed form, all pods of a service together. */
  readonly byService: Readonly<Record<string, number>>;
}

/** The same scenarios on both forms, one after the other on one machine. */
export interface Comparison {
  readonly standalone: BenchReport;
  readonly distributed: BenchReport;
  readonly rows: readonly ComparisonRow[];
}

/** The processes that are not Binnacle's own. */
const backendNames: ReadonlySet<string> = new Set(['etcd', 'kafka', 'redis', 'balancer']);

/** Whether a process, `etcd-1`, is not Binnacle's own. */
export function isBackend(process: string): boolean {
  return backendNames.has(serviceFromProcess(process));
}

/** Puts the results of both forms side by side, for the scenarios that both ran. */
export function compareForms(standalone: BenchReport, distributed: BenchReport): Comparison {
  const rows = distributed.results.flatMap(result => {
    const other = standalone.results.find(({ name }) => name === result.name);
    return other === undefined ? [] : [compareResults(other, result)];
  });
  return { standalone, distributed, rows };
}

function compareResults(standalone: ScenarioResult, distributed: ScenarioResult): ComparisonRow {
  const standaloneMicros = ownMicros(sumByService(standalone));
  const byService = sumByService(distributed);
  const distributedMicros = ownMicros(byService);
  const backends = Object.entries(byService).filter(([name]) => backendNames.has(name));
  return {
    name: distributed.name,
    unit: distributed.unit,
    standaloneMicros,
    distributedMicros,
    ratio: distributedMicros / standaloneMicros,
    backends: Object.fromEntries(backends.map(([name, micros]) => [name, micros / standaloneMicros])),
    standaloneRate: standalone.units / standalone.seconds,
    distributedRate: distributed.units / distributed.seconds,
    byService,
  };
}

/** Adds up the pods of each service: `gateway-1` and `gateway-2` are `gateway`. */
function sumByService({ cpuMicrosPerUnit }: ScenarioResult): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [process, micros] of Object.entries(cpuMicrosPerUnit)) {
    const service = serviceFromProcess(process);
    sums[service] = (sums[service] ?? 0) + micros;
  }
  return sums;
}

function serviceFromProcess(process: string): string {
  return process.replace(/-\d+$/, '');
}

function ownMicros(byService: Readonly<Record<string, number>>): number {
  return Object.entries(byService)
    .filter(([name]) => !backendNames.has(name))
    .reduce((sum, [, micros]) => sum + micros, 0);
}
