import { readFileSync } from 'node:fs';

/** What a thread did since the last look, as parts of the time since then. */
export interface ThreadLoad {
  /** In which the event loop was busy. */
  readonly busy: number;
  /** In which the thread had work and waited for a processor. */
  readonly waited: number;
}

/** Of the thread that reads it: ns on a processor, ns in wait for one, number of times that it ran. */
const schedulerFile = '/proc/thread-self/schedstat';

/** Measures this thread; each call says what happened since the one before. Where the system tells no waiting times, they are 0. */
export function measureThread(file = schedulerFile): () => ThreadLoad {
  let loop = performance.eventLoopUtilization();
  let lookedAt = performance.now();
  let waitedMs = readWaitedMs(file);
  return () => {
    const before = { loop, lookedAt, waitedMs };
    loop = performance.eventLoopUtilization();
    lookedAt = performance.now();
    if (before.waitedMs !== undefined) waitedMs = readWaitedMs(file);
    const waited = (waitedMs ?? 0) - (before.waitedMs ?? 0);
    return {
      busy: performance.eventLoopUtilization(loop, before.loop).utilization,
      waited: Math.max(0, Math.min(1, waited / (lookedAt - before.lookedAt))),
    };
  };
}

/** Undefined where the system has no such file. */
function readWaitedMs(file: string): number | undefined {
  try {
    const ns = Number(readFileSync(file, 'latin1').split(' ')[1]);
    return Number.isFinite(ns) ? ns / 1e6 : undefined;
  } catch {
    return undefined;
  }
}
