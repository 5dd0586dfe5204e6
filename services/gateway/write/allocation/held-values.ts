import type { ResourceDefinition } from '@binnacle/api-types';
import type { StorageKey } from '@binnacle/storage-contract';
import type { CachedObject, TypeCache } from '@binnacle/watch-cache';
import type { Pool } from './pool.ts';

/**
 * The values of pools that the objects of a type hold, from the watch cache, which may be behind. A hint for the
 * search; the reservation in the store decides which object holds a value.
 */
export class HeldValues {
  readonly #definition: ResourceDefinition;
  /** The object that holds a value, by the number of the value. */
  readonly #holders: ReadonlyMap<Pool, Map<number, StorageKey>>;
  readonly #reservations = new Map<StorageKey, readonly string[]>();

  constructor(definition: ResourceDefinition, pools: readonly Pool[]) {
    this.#definition = definition;
    this.#holders = new Map(pools.map(pool => [pool, new Map()]));
  }

  /** Follows a cache, which need not have been listed yet, until it is closed. */
  follow(cache: TypeCache): void {
    cache.subscribe(({ type, object }) => {
      if (type === 'DELETED') this.#release(object.key);
      else this.#put(object);
    });
  }

  isHeld(pool: Pool, offset: number): boolean {
    return this.#holders.get(pool)?.has(offset) ?? false;
  }

  #put(object: CachedObject): void {
    const reservations = this.#definition.rules.reservationsFor?.(object.parse()) ?? [];
    this.#release(object.key);
    if (reservations.length === 0) return;
    this.#reservations.set(object.key, reservations);
    this.#each(reservations, (holders, offset) => holders.set(offset, object.key));
  }

  #release(key: StorageKey): void {
    const reservations = this.#reservations.get(key);
    if (reservations === undefined) return;
    this.#reservations.delete(key);
    this.#each(reservations, (holders, offset) => {
      // A listing may bring the next holder before it takes the last one away.
      if (holders.get(offset) === key) holders.delete(offset);
    });
  }

  #each(
    reservations: readonly string[],
    visit: (holders: Map<number, StorageKey>, offset: number) => void,
  ): void {
    for (const reservation of reservations) {
      for (const [pool, holders] of this.#holders) {
        if (!reservation.startsWith(pool.reservationPrefix)) continue;
        const offset = pool.offsetOf(reservation.slice(pool.reservationPrefix.length));
        if (offset !== undefined) visit(holders, offset);
      }
    }
  }
}
