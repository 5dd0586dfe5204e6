import { BoundedMap } from './bounded-map.ts';

/** How many values a cache keeps, and its time. */
interface ExpiringCacheOptions {
  readonly maxEntries: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly from: number;
  readonly until: number;
}

/** Values by text, each for a time of its own; beyond the limit those that were not used for longest leave first. */
export class ExpiringCache<Value> {
  readonly #entries: BoundedMap<string, Entry<Value>>;
  readonly #clock: () => number;

  constructor({ maxEntries, clock }: ExpiringCacheOptions) {
    this.#entries = new BoundedMap(maxEntries);
    this.#clock = clock;
  }

  /** The value under a key, within its time. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const now = this.#clock();
    // A clock that was set back keeps no value for longer.
    if (entry.from <= now && now < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Keeps a value for some milliseconds; for none, or fewer, it is not kept. */
  set(key: string, value: Value, ttlMs: number): void {
    if (ttlMs <= 0) return;
    const from = this.#clock();
    this.#entries.set(key, { value, from, until: from + ttlMs });
  }
}
