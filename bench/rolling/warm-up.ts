import { setTimeout as pause } from 'node:timers/promises';
import { summarizeLatencies } from '../measure/latencies.ts';
import type { RollingWrites } from './rolling-writes.ts';

/** The rate grows in so many steps. */
const steps = 10;
const leastStepMs = 2_000;
/** For each write a second: the higher the rate, the more of the code has to be compiled before a machine carries it. */
const stepMsEach = 24;
const windowMs = 5_000;
/** The medians of so many windows that follow each other have to be alike, within this ratio. */
const steadyWindows = 3;
const mostRatio = 1.25;
/** Seconds of writes that may wait at the end. */
const mostWaitingSeconds = 2;

/**
 * Raises the rate of writes step by step, since processes that have just started compile their code, and then waits until the
 * median of their waits no longer changes, at most for that time. Returns whether the rate is held: writes do not pile up.
 */
export async function warmUp(
  writes: RollingWrites,
  perSecond: number,
  mostSeconds: number,
): Promise<boolean> {
  for (let step = 1; step <= steps; step++) {
    writes.perSecond = (perSecond * step) / steps;
    await pause(Math.max(leastStepMs, stepMsEach * perSecond));
  }
  const medians: number[] = [];
  for (const giveUpAt = performance.now() + mostSeconds * 1000; performance.now() < giveUpAt; ) {
    const from = performance.now();
    await pause(windowMs);
    const waits = writes.written.filter(({ dueAt }) => dueAt >= from).map(({ tookMs }) => tookMs);
    const { p50, p99 } = summarizeLatencies(waits) ?? { p50: Number.POSITIVE_INFINITY, p99: 0 };
    medians.push(p50);
    console.error(
      `warming up: of ${windowMs / 1000} s ${waits.length} writes are answered, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${writes.pending} wait`,
    );
    const last = medians.slice(-steadyWindows);
    if (last.length === steadyWindows && Math.max(...last) < mostRatio * Math.min(...last)) break;
  }
  return writes.pending < mostWaitingSeconds * perSecond;
}
