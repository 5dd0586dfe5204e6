import { errorMessage } from '@binnacle/status-errors';

/** Returns random integers from 0 up to `below`, exclusive. */
export type Random = (below: number) => number;

/** Creates a seeded source of random integers. */
function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Checks a property for `count` seeds; a failure names its seed. */
export function forEachSeed(count: number, property: (random: Random) => void): void {
  for (let seed = 1; seed <= count; seed++) {
    try {
      property(createRandom(seed));
    } catch (error) {
      const why = errorMessage(error);
      throw new Error(`with the seed ${seed}: ${why}`, { cause: error });
    }
  }
}

/** Returns a random item. */
export function pickOne<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)]!; // There is at least one item.
}

/** Returns random items in random order. */
export function pickSome<T>(random: Random, items: readonly T[]): T[] {
  return items
    .filter(() => random(2) === 0)
    .map(item => ({ item, at: random(1000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
