/** Values of which each belongs to one object at most: they are numbered from 0, and reserved under a key that ends in one. */
export interface Pool {
  /** For messages: what it holds, and its bounds. */
  readonly name: string;
  /** The prefix of the storage keys of its reservations; another pool may have the same. */
  readonly reservationPrefix: string;
  /** How many values it has. */
  readonly size: number;
  /** Values below this number are given out last: they are for those who ask for one. */
  readonly firstDynamic: number;
  valueAt(offset: number): string;
  /** The number of a value in canonical form; undefined when the pool does not have it. */
  offsetOf(value: string): number | undefined;
}
