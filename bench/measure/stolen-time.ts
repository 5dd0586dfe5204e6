import { readFileSync } from 'node:fs';

/** Time of all processors of the machine, in ticks since it started. */
interface MachineTime {
  readonly all: number;
  /** Without work, or waiting for a disk. */
  readonly idle: number;
  /** Taken by the host for other machines. */
  readonly stolen: number;
}

/** Place of the stolen time in the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. */
const stolenField = 7;
const fields = stolenField + 1;
const [idleField, diskField] = [3, 4];

/** Parts of the time of all processors, each 0 to 1. */
export interface MachineUse {
  /** Neither idle nor waiting for a disk; what the host took counts. */
  readonly busy: number;
  /** Taken by the host for other machines. */
  readonly stolen: number;
}

/** Measures from now on which part of the processors the host took, 0 to 1; 0 where the system does not say. */
export function measureStolenTime(file = '/proc/stat'): () => number {
  const use = measureMachineUse(file);
  return () => use().stolen;
}

/** Measures from now on how busy the processors are; zeros where the system does not say. */
export function measureMachineUse(file = '/proc/stat'): () => MachineUse {
  const start = readMachineTime(file);
  return () => {
    const now = readMachineTime(file);
    const all = now.all - start.all;
    if (all <= 0) return { busy: 0, stolen: 0 };
    return { busy: 1 - (now.idle - start.idle) / all, stolen: (now.stolen - start.stolen) / all };
  };
}

function readMachineTime(file: string): MachineTime {
  try {
    const [line = ''] = readFileSync(file, 'latin1').split('\n', 1);
    const times = line
      .trim()
      .split(/\s+/)
      .slice(1, 1 + fields)
      .map(Number);
    return {
      all: times.reduce((sum, time) => sum + time, 0),
      idle: (times[idleField] ?? 0) + (times[diskField] ?? 0),
      stolen: times[stolenField] ?? 0,
    };
  } catch {
    return { all: 0, idle: 0, stolen: 0 };
  }
}
