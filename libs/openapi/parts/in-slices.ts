import { sharedSlices } from '@binnacle/event-loop';

/** Maps items in order and yields whenever a time slice has ended. */
export async function inSlices<T, U>(items: Iterable<T>, work: (item: T) => U): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) {
    if (sharedSlices.isOver()) await sharedSlices.yield();
    results.push(work(item));
  }
  return results;
}
