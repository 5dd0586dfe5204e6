import { setTimeout as sleep } from 'node:timers/promises';
import { pickOne, type Random } from '../../../fuzz/random.ts';
import type { Door, HistoryRecorder } from '../recording/recorder.ts';

/** The gateways, the recorder and the end of a run, for its clients. */
export interface SuiteContext {
  readonly recorder: HistoryRecorder;
  /** One for each gateway. */
  readonly doors: readonly Door[];
  /** Aborts when clients are to begin nothing more. */
  readonly signal: AbortSignal;
  /** By how much pauses of clients are longer than those that they name. */
  readonly pauseFactor: number;
}

/** A gateway at random, as behind a load balancer that keeps nothing in mind. */
export function anyDoor({ doors }: SuiteContext, random: Random): Door {
  return pickOne(random, doors);
}

/** Waits for a while that the seed decides on; returns at once when clients are to end. */
export async function pauseBetween(
  { signal, pauseFactor }: SuiteContext,
  random: Random,
  meanMs: number,
): Promise<void> {
  await sleep(random(meanMs * 2) * pauseFactor, undefined, { signal }).catch(() => {});
}
