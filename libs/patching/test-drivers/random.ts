import { errorMessage } from '@binnacle/status-errors';

/** Whole numbers from 0 up to `below`. */
export type Random = (below: number) => number;

/** Numbers that are the same for the same seed. */
function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Asks a question of as many random worlds; a failure names the seed of the world that it was found in. */
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

/** One of the items. */
export function pickOne<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)]!; // there is at least one
}

/** Some of the items, in another order. */
export function pickSome<T>(random: Random, items: readonly T[]): T[] {
  return items
    .filter(() => random(2) === 0)
    .map(item => ({ item, at: random(1000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
