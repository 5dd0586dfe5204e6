import { readFileSync } from 'node:fs';

/** The answer of a test process once the tests of a file have ended; hooks of the file may still run. */
export interface FileEnd {
  readonly ended: string;
}

/** A later message: what a file took of a processor, with its hooks, and the processes that have ended meanwhile. */
export interface FileCost {
  readonly file: string;
  readonly processorMs: number;
}

/** The time that a test file took. */
export interface FileTime extends FileCost {
  readonly ms: number;
}

/** Files in the report of a run that names no number. */
const mostReported = 25;
/** Fewest files of a run that is reported by default: smaller ones do not represent a whole run. */
const fewestFiles = 50;

/** Lines about the files of a run that took longest, as many as `count`: their seconds, and how many of a processor. */
export function reportTimes(
  times: readonly FileTime[],
  count = times.length < fewestFiles ? 0 : mostReported,
): string[] {
  if (count === 0) return [];
  const longest = times.toSorted((a, b) => b.ms - a.ms).slice(0, count);
  return [
    'seconds, seconds of a processor:',
    ...[
      ...longest,
      { file: 'all files', ms: sumTimes(times, 'ms'), processorMs: sumTimes(times, 'processorMs') },
    ].map(({ file, ms, processorMs }) => `${seconds(ms)} ${seconds(processorMs)}  ${file}`),
  ];
}

function sumTimes(times: readonly FileTime[], what: 'ms' | 'processorMs'): number {
  return times.reduce((sum, time) => sum + time[what], 0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(7);
}

/** Linux counts in hundredths of a second. */
const msPerTick = 10;

/**
 * The milliseconds of processor time that this process has taken, with the processes that it started, and those that
 * they started, as far as they have ended. On systems without `/proc` its own alone.
 */
export function processorTimeMs(): number {
  try {
    // The name of the program, in brackets, may have blanks. The four times are fields 14 to 17.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * msPerTick, 0);
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
