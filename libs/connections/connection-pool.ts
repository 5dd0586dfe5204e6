import type { Connection } from './connection.ts';

/** Pause between two searches of a pool without an evictable connection, in ms. */
const searchPauseMs = 100;
/** Fraction of the pool that one search collects, so that a flood of connections does not cause a search for each. */
const searchedPart = 1 / 64;

/** The rule of eviction: which connections of a pool are evictable; those of one address are evicted by ascending rank. */
interface EvictionRule {
  isEvictable(connection: Connection, now: number): boolean;
  rank(connection: Connection): number;
}

/** A set of connections, grouped by client address. */
export class ConnectionPool {
  readonly #rule: EvictionRule;
  readonly #byAddress = new Map<string, Set<Connection>>();
  #size = 0;
  #found: Connection[] = [];
  #nextSearchAt = Number.NEGATIVE_INFINITY;

  constructor(rule: EvictionRule) {
    this.#rule = rule;
  }

  get size(): number {
    return this.#size;
  }

  sizeOf(address: string): number {
    return this.#byAddress.get(address)?.size ?? 0;
  }

  add(connection: Connection): void {
    const { address } = connection;
    let held = this.#byAddress.get(address);
    if (held === undefined) {
      held = new Set();
      this.#byAddress.set(address, held);
    }
    held.add(connection);
    this.#size++;
  }

  /** Returns whether the pool held the connection. */
  delete(connection: Connection): boolean {
    const held = this.#byAddress.get(connection.address);
    if (!held?.delete(connection)) return false;
    if (held.size === 0) this.#byAddress.delete(connection.address);
    this.#size--;
    return true;
  }

  *[Symbol.iterator](): IterableIterator<Connection> {
    for (const held of this.#byAddress.values()) yield* held;
  }

  /** Returns the connection of an address to evict for another one of the same address. */
  findVictim(address: string, now: number): Connection | undefined {
    return this.#ranked(this.#byAddress.get(address) ?? [], now)[0];
  }

  /**
   * Returns the connection to evict for one from `newcomer`: one of the address that holds most, never of one that holds
   * fewer than `newcomer` would then.
   */
  victimFor(newcomer: string, now: number): Connection | undefined {
    const victim = this.#nextFound(now) ?? this.#search(now);
    if (victim === undefined) return undefined;
    const { address } = victim;
    if (address === newcomer || this.sizeOf(address) > this.sizeOf(newcomer)) return victim;
    this.#found.push(victim);
    return this.findVictim(newcomer, now);
  }

  #nextFound(now: number): Connection | undefined {
    for (;;) {
      const victim = this.#found.pop();
      if (victim === undefined) return undefined;
      const isHeld = this.#byAddress.get(victim.address)?.has(victim) === true;
      if (isHeld && this.#rule.isEvictable(victim, now)) return victim;
    }
  }

  #search(now: number): Connection | undefined {
    if (now < this.#nextSearchAt) return undefined;
    const wanted = Math.ceil(this.#size * searchedPart);
    const groups = [...this.#byAddress.values()].sort((a, b) => b.size - a.size);
    const found: Connection[] = [];
    for (const held of groups) {
      if (found.length >= wanted) break;
      found.push(...this.#ranked(held, now).slice(0, wanted - found.length));
    }
    if (found.length === 0) this.#nextSearchAt = now + searchPauseMs;
    this.#found = found.reverse();
    return this.#found.pop();
  }

  #ranked(held: Iterable<Connection>, now: number): Connection[] {
    const { isEvictable, rank } = this.#rule;
    return [...held].filter(connection => isEvictable(connection, now)).sort((a, b) => rank(a) - rank(b));
  }
}
