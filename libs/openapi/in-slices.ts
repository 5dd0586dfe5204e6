import { setImmediate as otherWork } from 'node:timers/promises';

const itemsInOneSlice = 16;

/** Maps items in order, letting other work of the process through after every few of them. */
export async function inSlices<T, U>(items: Iterable<T>, work: (item: T) => U): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) {
    results.push(work(item));
    if (results.length % itemsInOneSlice === 0) await otherWork();
  }
  return results;
}
