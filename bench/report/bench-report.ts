import type { MachineDescription } from '../measure/describe-machine.ts';
import type { ScenarioResult, Settings } from '../scenarios/scenario.ts';

/** Everything one run of the bench measured: what the machine-readable file holds and the page shows. */
export interface BenchReport {
  /** RFC 3339. */
  readonly startedAt: string;
  readonly form: string;
  readonly machine: MachineDescription;
  readonly settings: Settings;
  readonly results: readonly ScenarioResult[];
}
