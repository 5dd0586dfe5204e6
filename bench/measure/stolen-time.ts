import { readFileSync } from 'node:fs';

/** Time of all processors of the machine, in ticks since it started. */
interface MachineTime {
  readonly all: number;
  /** Taken by the host for other machines. */
  readonly stolen: number;
}

/** Place of the stolen time in the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. */
const stolenField = 7;
const fields = stolenField + 1;

/** Measures from now on which part of the processors the host took, 0 to 1; 0 where the system does not say. */
export function measureStolenTime(file = '/proc/stat'): () => number {
  const start = readMachineTime(file);
  return () => {
    const now = readMachineTime(file);
    const all = now.all - start.all;
    return all > 0 ? (now.stolen - start.stolen) / all : 0;
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
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[stolenField] ?? 0 };
  } catch {
    return { all: 0, stolen: 0 };
  }
}
