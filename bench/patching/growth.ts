import { findMedian } from '../encoding/figures.ts';

/** The cost of an operation in two sizes. */
export interface Growth {
  /** Microseconds of processor time, in the middle of the runs. */
  readonly small: number;
  readonly large: number;
  /** Cost of the large one relative to the small one: the median and the worst of the runs. */
  readonly median: number;
  readonly worst: number;
}

const runs = 31;
const runMicroseconds = 60_000;
const batch = 5;

/**
 * Measures an operation in two sizes, in alternate runs, so that other load on the machine affects both. A first run
 * of each does not count.
 */
export function measureGrowth(options: {
  readonly small: number;
  readonly large: number;
  prepare(size: number): () => unknown;
}): Growth {
  const operations = [options.prepare(options.small), options.prepare(options.large)] as const;
  const times = Array.from({ length: runs + 1 }, () => operations.map(measureMicroseconds)).slice(1);
  const column = (at: number) => times.map(pair => pair[at] ?? Number.NaN);
  const ratios = times.map(([small = Number.NaN, large = Number.NaN]) => large / small);
  return {
    small: findMedian(column(0)),
    large: findMedian(column(1)),
    median: findMedian(ratios),
    worst: Math.max(...ratios),
  };
}

/** Measures processor time of this process, which other load on the machine affects little. */
function measureMicroseconds(operation: () => unknown): number {
  const start = process.cpuUsage();
  let count = 0;
  let used = 0;
  while (used < runMicroseconds) {
    for (let i = 0; i < batch; i++) operation();
    count += batch;
    const { user, system } = process.cpuUsage(start);
    used = user + system;
  }
  return used / count;
}
