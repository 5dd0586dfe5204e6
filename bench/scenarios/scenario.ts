import type { LoadTarget } from '../load/protocol.ts';
import type { LatencySummary } from '../measure/latencies.ts';

/** A number that a scenario must stay below. */
export interface Target {
  readonly what: string;
  readonly unit: string;
  readonly limit: number;
  readonly measured: number;
}

/** The measurements of a scenario. */
export interface ScenarioResult {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** The unit of work: `request`, `delivered event`. */
  readonly unit: string;
  readonly units: number;
  readonly seconds: number;
  readonly latencies: LatencySummary | undefined;
  /** CPU microseconds a unit of work, by process. */
  readonly cpuMicrosPerUnit: Readonly<Record<string, number>>;
  /** Resident bytes at the end, by process. */
  readonly residentBytes: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly targets: readonly Target[];
}

/** The environment of a scenario. */
export interface ScenarioContext {
  /** The target of requests and watches. */
  readonly target: LoadTarget;
  /** The target of the writes of a fan-out, so that writing does not wait for the gateway that delivers the events. */
  readonly writeTarget: LoadTarget;
  /** A gateway without TLS, where there is one: fan-outs are measured on it too. */
  readonly plain?: { readonly target: LoadTarget; readonly gateway: string } | undefined;
  /** Process ids of the server's processes, by name: `gateway-1`, `storage-2`, `etcd-1`, … */
  readonly pids: ReadonlyMap<string, number>;
  /** The process that serves the load's HTTP requests. */
  readonly gateway: string;
  readonly settings: Settings;
  readonly progress: (name: string, done: number, total: number) => void;
}

/** The choices of a user of the bench. */
export interface Settings {
  readonly objects: number;
  readonly objectBytes: number;
  readonly connections: number;
  readonly watchers: number;
  readonly events: number;
  /** Events a second of the steady fan-out. */
  readonly rate: number;
}

/** One thing that is measured. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** False where the server under load lacks what the scenario needs. */
  canRun?(context: ScenarioContext): boolean;
  run(context: ScenarioContext): Promise<ScenarioResult>;
}
