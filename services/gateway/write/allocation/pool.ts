/**
 * Values of which each belongs to one object at most. They are numbered from 0, and each is reserved under a key that
 * ends in the value.
 */
export interface Pool {
  /** Name for messages: the kind of values, and their bounds. */
  readonly name: string;
  /** The prefix of the storage keys of its reservations; another pool may have the same. */
  readonly reservationPrefix: string;
  /** Number of values. */
  readonly size: number;
  /** Values below this number are allocated last: they are left for requests that name one. */
  readonly firstDynamic: number;
  valueAt(offset: number): string;
  /** The number of a value in canonical form; undefined when the pool does not have it. */
  offsetOf(value: string): number | undefined;
}

/** Random draws before all numbers are tried in turn. */
const draws = 16;

/**
 * The number of a free value, chosen at random: from the dynamic part of the pool while that has one, then from the
 * rest. Undefined when none is free. `random` returns numbers from 0 to 1.
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
