import { type SliceQueue, sharedSlices } from './slice-queue.ts';

/**
 * Runs work that yields between steps of bounded size, in slices; it takes no turn of the loop more when it is short. Work
 * of one step is done when this returns.
 */
export function runInSlices<Result>(
  work: Generator<void, Result>,
  slices: SliceQueue = sharedSlices,
): Result | Promise<Result> {
  const step = work.next();
  return step.done ? step.value : continueInSlices(work, slices);
}

async function continueInSlices<Result>(work: Generator<void, Result>, slices: SliceQueue): Promise<Result> {
  for (;;) {
    if (slices.isOver()) await slices.yield();
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Runs such work at once, for programs that have nothing else to do. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Work on fewer bytes, and all that has fewer values, is short. */
const longBytes = 65_536;

/** Whether work on an object of so many bytes of JSON is long: only then it goes in slices, and yields between its steps. */
export function isLong(bytes: number): boolean {
  return bytes >= longBytes;
}

/**
 * Lets other requests go on between two steps of work on an object of so many bytes of JSON; undefined, and no yield, for
 * an object that is small.
 */
export function yieldAfterStep(bytes: number, slices: SliceQueue = sharedSlices): Promise<void> | undefined {
  return isLong(bytes) ? slices.yield() : undefined;
}
