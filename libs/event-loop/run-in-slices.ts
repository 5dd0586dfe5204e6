import { type SliceQueue, sharedSlices } from './slice-queue.ts';

/**
 * Runs work that yields between steps of bounded size, in slices of the event loop; short work takes no further turn.
 * Work of one step completes synchronously.
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

/** Runs work that yields between its steps synchronously, for programs without other work. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Size from which work on a JSON text is long, in bytes. */
const longBytes = 65_536;

/** Whether work on an object of so many bytes of JSON is long, so that it runs in slices. */
export function isLong(bytes: number): boolean {
  return bytes >= longBytes;
}

/**
 * Yields to other requests between two steps of work on an object of so many bytes of JSON; returns undefined, without
 * yielding, for a small object.
 */
export function yieldAfterStep(bytes: number, slices: SliceQueue = sharedSlices): Promise<void> | undefined {
  return isLong(bytes) ? slices.yield() : undefined;
}
