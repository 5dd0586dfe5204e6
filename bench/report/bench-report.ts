import type { MachineDescription } from '../measure/describe-machine.ts';
import type { ScenarioResult, Settings } from '../scenarios/scenario.ts';

/** The measurements of one run of the bench: the content of the machine-readable file and of the page. */
export interface BenchReport {
  /** RFC 3339. */
  readonly startedAt: string;
  readonly form: string;
  readonly machine: MachineDescription;
  readonly settings: Settings;
  readonly results: readonly ScenarioResult[];
}
