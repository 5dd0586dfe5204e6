import { readdirSync, readFileSync } from 'node:fs';

/** CPU time and memory of a process at one moment. */
interface ProcessUsage {
  /** User and system time in microseconds since the process started. */
  readonly cpuMicros: number;
  /** Resident memory in bytes. */
  readonly residentBytes: number;
}

/** Linux counts CPU time in hundredths of a second. */
const microsPerTick = 10_000;

/** Reads what a process has used so far; zeros for a process that is gone. */
export function readProcessUsage(pid: number): ProcessUsage {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return {
      cpuMicros: (Number(fields[11]) + Number(fields[12])) * microsPerTick,
      residentBytes: Number(resident ?? 0) * 1024,
    };
  } catch {
    return { cpuMicros: 0, residentBytes: 0 };
  }
}

/** CPU time of each thread of a process in nanoseconds, by its id; empty for a process that is gone. */
export function readThreadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  const directory = `/proc/${pid}/task`;
  for (const thread of list(directory)) {
    try {
      times.set(thread, Number(readFileSync(`${directory}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]));
    } catch {
      // It has ended meanwhile.
    }
  }
  return times;
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * CPU microseconds of named processes since the meter was made, to the microsecond: the hundredths of a second that Linux counts for
 * whole processes are too coarse for short measurements. A thread that ends is left out.
 */
export class ThreadMeter {
  readonly #start: ReadonlyMap<string, { readonly pid: number; readonly times: ReadonlyMap<string, number> }>;

  constructor(pids: ReadonlyMap<string, number>) {
    this.#start = new Map([...pids].map(([name, pid]) => [name, { pid, times: readThreadTimes(pid) }]));
  }

  cpuMicros(): Record<string, number> {
    const used: Record<string, number> = {};
    for (const [name, { pid, times }] of this.#start) {
      let nanoseconds = 0;
      for (const [thread, time] of readThreadTimes(pid)) nanoseconds += time - (times.get(thread) ?? 0);
      used[name] = nanoseconds / 1000;
    }
    return used;
  }
}

/** CPU microseconds that each named process used between two moments. */
export class UsageMeter {
  readonly #pids: ReadonlyMap<string, number>;
  readonly #start: Map<string, ProcessUsage>;

  constructor(pids: ReadonlyMap<string, number>) {
    this.#pids = pids;
    this.#start = readAll(pids);
  }

  /** Since the meter was made, by process name. */
  cpuMicros(): Record<string, number> {
    return Object.fromEntries(
      [...this.#pids].map(([name, pid]) => [
        name,
        readProcessUsage(pid).cpuMicros - (this.#start.get(name)?.cpuMicros ?? 0),
      ]),
    );
  }

  /** Now, by process name. */
  residentBytes(): Record<string, number> {
    return Object.fromEntries(
      [...this.#pids].map(([name, pid]) => [name, readProcessUsage(pid).residentBytes]),
    );
  }
}

function readAll(pids: ReadonlyMap<string, number>): Map<string, ProcessUsage> {
  return new Map([...pids].map(([name, pid]) => [name, readProcessUsage(pid)]));
}
