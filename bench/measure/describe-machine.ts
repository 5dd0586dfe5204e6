import { cpus, totalmem } from 'node:os';
import type { MachineDescription } from '../report/bench-report.ts';

/** Describes the machine that runs this. */
export function describeMachine(): MachineDescription {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? '',
    memoryBytes: totalmem(),
    node: process.versions.node,
  };
}
