import { UsageMeter } from '../measure/process-usage.ts';
import { measureMachineUse } from '../measure/stolen-time.ts';
import type { RollingForm } from './rolling-form.ts';

/** Processor time of a period. */
export interface ProcessorUse {
  readonly seconds: number;
  /** Microseconds by process; the programs that make the load are `writers` and `watchers`. */
  readonly cpuMicros: Readonly<Record<string, number>>;
  /** The part of all processors that was busy, with whatever else the machine did, 0 to 1. */
  readonly busy: number;
}

/** Measures the processes of the form and of its load from now on. */
export function measureProcessors({ form, watches }: RollingForm): () => ProcessorUse {
  const startedAt = performance.now();
  const machine = measureMachineUse();
  const pids = [...form.processes.values()].map(({ name, pid }) => [name, pid ?? 0] as const);
  const watchers = watches.map(({ pid }, index) => [`watchers-${index + 1}`, pid] as const);
  const meter = new UsageMeter(new Map([...pids, ['writers', process.pid], ...watchers]));
  return () => ({
    seconds: (performance.now() - startedAt) / 1000,
    cpuMicros: meter.cpuMicros(),
    busy: machine().busy,
  });
}

/** The processor time of a write, with all that follows it, by service, as a line; `writes` were made in these periods. */
export function costLine(uses: readonly ProcessorUse[], writes: number): string {
  const services = new Map<string, number>();
  for (const { cpuMicros } of uses)
    for (const [name, micros] of Object.entries(cpuMicros)) {
      const service = name.replace(/-\d+$/, '');
      services.set(service, (services.get(service) ?? 0) + micros);
    }
  const all = [...services.values()].reduce((sum, micros) => sum + micros, 0);
  const seconds = uses.reduce((sum, use) => sum + use.seconds, 0);
  const busy = uses.reduce((sum, use) => sum + use.busy * use.seconds, 0) / seconds;
  const parts = [...services]
    .toSorted(([, a], [, b]) => b - a)
    .map(([service, micros]) => `${service} ${(micros / writes).toFixed(0)}`);
  return `a write takes ${(all / writes).toFixed(0)} µs of processors: ${parts.join(', ')}; together ${(all / seconds / 1e6).toFixed(2)} processors; the machine was ${(busy * 100).toFixed(0)} % busy`;
}
