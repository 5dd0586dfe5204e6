import { cpus, totalmem } from 'node:os';

/** The machine that ran the servers and the load. */
export interface MachineDescription {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryBytes: number;
  readonly node: string;
}

/** Describes the machine that runs this. */
export function describeMachine(): MachineDescription {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? '',
    memoryBytes: totalmem(),
    node: process.versions.node,
  };
}
