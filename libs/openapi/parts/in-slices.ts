import { sharedSlices } from '@binnacle/event-loop';

/** Maps items in order, with a yield whenever a slice of time is over. */
export async function inSlices<T, U>(items: Iterable<T>, work: (item: T) => U): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) {
    if (sharedSlices.isOver()) await sharedSlices.yield();
    results.push(work(item));
  }
  return results;
}
