import { BoundedMap } from './bounded-map.ts';

/** Options of an expiring cache. */
interface ExpiringCacheOptions {
  readonly maxEntries: number;
  /** Unix time in ms. */
  readonly clock: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly from: number;
  readonly until: number;
}

/** A cache with string keys and a lifetime for each value; above the limit, the least recently used values are evicted. */
export class ExpiringCache<Value> {
  readonly #entries: BoundedMap<string, Entry<Value>>;
  readonly #clock: () => number;

  constructor({ maxEntries, clock }: ExpiringCacheOptions) {
    this.#entries = new BoundedMap(maxEntries);
    this.#clock = clock;
  }

  /** Returns the value of a key, unless it has expired. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const now = this.#clock();
    // A clock that was set back must not prolong a lifetime.
    if (entry.from <= now && now < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Stores a value for `ttlMs`; without effect if that is 0 or less. */
  set(key: string, value: Value, ttlMs: number): void {
    if (ttlMs <= 0) return;
    const from = this.#clock();
    this.#entries.set(key, { value, from, until: from + ttlMs });
  }
}
