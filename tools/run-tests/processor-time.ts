import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const msPerTick = 10;

/**
 * The milliseconds of processor time that this process has taken, with the processes that it started, and those that they
 * started, as far as they have ended. Of systems without `/proc` its own alone.
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
