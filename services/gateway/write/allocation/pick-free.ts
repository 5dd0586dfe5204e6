import type { Pool } from './pool.ts';

/** How often a number is drawn before all of them are gone through. */
const draws = 16;

/**
 * The number of a value that is free, at random: of the dynamic part of the pool as long as that has one, then of the rest.
 * Undefined when none is free. `random` gives numbers from 0 to 1.
 */
export function pickFree(
  pool: Pool,
  isTaken: (offset: number) => boolean,
  random: () => number,
): number | undefined {
  return (
    pickBetween(pool.firstDynamic, pool.size, { isTaken, random }) ??
    pickBetween(0, pool.firstDynamic, { isTaken, random })
  );
}

function pickBetween(
  from: number,
  to: number,
  { isTaken, random }: { readonly isTaken: (offset: number) => boolean; readonly random: () => number },
): number | undefined {
  const size = to - from;
  if (size <= 0) return undefined;
  for (let draw = 0; draw < draws; draw++) {
    const offset = from + Math.floor(random() * size);
    if (!isTaken(offset)) return offset;
  }
  const start = Math.floor(random() * size);
  for (let step = 0; step < size; step++) {
    const offset = from + ((start + step) % size);
    if (!isTaken(offset)) return offset;
  }
  return undefined;
}
