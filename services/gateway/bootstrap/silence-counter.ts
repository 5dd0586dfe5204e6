import type { StorageRecord } from '@binnacle/storage-contract';

type Lease = Pick<StorageRecord, 'key' | 'revision'>;

/** Looks in a row that find a lease as it was before its server counts as dead. */
const mostSilentLooks = 3;

/** Counts the looks in which leases were not renewed. */
export class SilenceCounter {
  #seen = new Map<string, { readonly revision: number; readonly looks: number }>();

  /** Takes the leases as they are now, and answers those that have been silent for too long. */
  look<L extends Lease>(leases: readonly L[]): L[] {
    const before = this.#seen;
    // Leases that are gone are forgotten.
    this.#seen = new Map(
      leases.map(({ key, revision }) => {
        const last = before.get(key);
        return [key, { revision, looks: last?.revision === revision ? last.looks + 1 : 0 }];
      }),
    );
    return leases.filter(({ key }) => (this.#seen.get(key)?.looks ?? 0) >= mostSilentLooks);
  }
}
