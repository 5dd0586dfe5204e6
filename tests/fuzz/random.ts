/** Whole numbers from 0 up to `below`. */
export type Random = (below: number) => number;

/** Numbers that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** One of the items. */
export function pickOne<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)]!; // there is at least one
}
