import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findMedian } from './figures.ts';

const script = fileURLToPath(new URL('./read-definitions.ts', import.meta.url));
const runs = 7;
const runTimeoutMs = 60_000;

/** Milliseconds that the first registry takes in a new process, and the same with the modules that it is made of. */
export async function measureDefinitions() {
  const times: { read: number; all: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: runTimeoutMs });
    const [read = Number.NaN, all = Number.NaN] = stdout.split(' ').map(Number);
    times.push({ read, all });
  }
  return {
    read: figureFromTimes(times.map(time => time.read)),
    all: figureFromTimes(times.map(time => time.all)),
  };
}

function figureFromTimes(times: readonly number[]) {
  return { median: findMedian(times), worst: Math.max(...times), better: 'lower' as const };
}
