import type { MachineDescription } from '../measure/describe-machine.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import type { Setting, WorkName } from './axes.ts';

/** A reason why the figures of a work are not those of the server alone. */
export interface Limit {
  readonly what: string;
  /**
   * Whether the cost of a unit is not valid either, because other work was done than wanted; otherwise only latencies
   * are not valid.
   */
  readonly isOfLoad: boolean;
}

/** Figures of one kind of work at one step. */
export interface WorkResult {
  readonly work: WorkName;
  readonly unit: string;
  readonly units: number;
  readonly seconds: number;
  /** CPU microseconds a unit, by process, without its part of what the process takes when there is no work. */
  readonly cpuMicrosPerUnit: Readonly<Record<string, number>>;
  /** All of Binnacle's own processes together. */
  readonly ownMicrosPerUnit: number;
  /** All processes that make the load together. */
  readonly loadMicrosPerUnit: number;
  /** The busiest event loop of the load, 0 to 1. */
  readonly loadLoopUtilization: number;
  /** From sending a request to the end of its answer. */
  readonly requestLatencies: LatencySummary | undefined;
  /** From sending a write to its arrival at a watcher. */
  readonly deliveryLatencies: LatencySummary | undefined;
  /** Processors of the machine during the work, 0 to 1: all use, that of other processes than the server and the load. */
  readonly machine: { readonly busy: number; readonly others: number; readonly stolen: number };
  readonly failures: Readonly<Record<string, number>>;
  readonly limits: readonly Limit[];
}

/** Memory of a process in bytes. */
export interface Memory {
  readonly resident: number;
  /** JavaScript objects, and bytes beside them; undefined for processes that do not run on Node. */
  readonly heap: number | undefined;
  readonly external: number | undefined;
}

/** Figures of one step of an axis. */
export interface StepResult {
  readonly value: number;
  readonly setting: Setting;
  readonly seconds: number;
  /** CPU microseconds a second while there is no work, by process. */
  readonly idleMicrosPerSecond: Readonly<Record<string, number>>;
  /** At the end of the step, its watchers still open where the works have watchers. */
  readonly memory: Readonly<Record<string, Memory>>;
  readonly works: readonly WorkResult[];
}

/** The growth of the cost of one kind of work along an axis. */
export interface Growth {
  readonly work: WorkName;
  /** The cost of a unit grows as this power of the axis; undefined where fewer than two steps count. */
  readonly power: number | undefined;
  /** The largest power that is allowed. */
  readonly mayBe: number;
  readonly isTooFast: boolean;
}

/** Memory of a process that each further unit of an axis takes. */
export interface MemoryGrowth {
  readonly process: string;
  readonly residentBytes: number;
  readonly heapBytes: number | undefined;
}

/** Figures of one axis. */
export interface AxisResult {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly grows: keyof Setting;
  readonly base: Setting;
  readonly steps: readonly StepResult[];
  readonly growth: readonly Growth[];
  readonly memoryGrowth: readonly MemoryGrowth[];
  /** Steps that were not run, and why. */
  readonly left: readonly { readonly value: number; readonly why: string }[];
}

/** Everything that a run of the growth profile measured. */
export interface GrowthReport {
  /** RFC 3339. */
  readonly startedAt: string;
  readonly form: string;
  readonly machine: MachineDescription;
  readonly seconds: number;
  readonly axes: readonly AxisResult[];
}
