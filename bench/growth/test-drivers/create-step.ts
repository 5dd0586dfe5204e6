import { summarizeLatencies } from '../../measure/latencies.ts';
import { axes } from '../axes.ts';
import type { StepResult } from '../growth-report.ts';

/** A step of the axis of watchers, as if it had been measured. */
export function createStep(figures: {
  readonly value: number;
  readonly own?: number;
  readonly residentMb?: number;
  readonly isMissed?: boolean;
}): StepResult {
  const { value, own = 5, residentMb = 100, isMissed = false } = figures;
  const base = axes[0]?.base;
  if (base === undefined) throw new Error('there is no axis');
  return {
    value,
    setting: { ...base, watchers: value },
    seconds: 1,
    idleMicrosPerSecond: { 'gateway-1': 5_000 },
    memory: { 'gateway-1': { resident: residentMb * 1e6, heap: 50e6, external: 10e6 } },
    works: [
      {
        work: 'delivery',
        unit: 'delivered event',
        units: 1_000,
        seconds: 1,
        cpuMicrosPerUnit: { 'gateway-1': own, 'etcd-1': 1 },
        ownMicrosPerUnit: own,
        loadMicrosPerUnit: 10,
        loadLoopUtilization: 0.4,
        requestLatencies: summarizeLatencies([3]),
        deliveryLatencies: summarizeLatencies([1, 2, 30]),
        machine: { busy: 0.5, others: 0, stolen: 0 },
        failures: {},
        limits: isMissed ? [{ what: '5 of 10 requests a <second>', isOfLoad: true }] : [],
      },
    ],
  };
}
