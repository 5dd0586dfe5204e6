import type { ObjectMeta } from '@binnacle/api-objects';
import { BoundedMap } from '@binnacle/event-loop';

/**
 * Objects that were deleted without their dependents, and when that was asked for.
 *
 * A dependent may become known only after its owner is gone. One that was there before the deletion was asked for was to
 * be let go, not to be collected. Only so many owners are remembered, the latest ones.
 */
export class LetGoOwners {
  readonly #deletedAt: BoundedMap<string, string>;

  constructor(limit: number) {
    this.#deletedAt = new BoundedMap(limit);
  }

  add({ uid = '', deletionTimestamp = '' }: ObjectMeta): void {
    this.#deletedAt.set(uid, deletionTimestamp);
  }

  /** Whether an owner was deleted without the dependents of this age. */
  has(uid: string, dependentCreatedAt: string | undefined): boolean {
    const deletedAt = this.#deletedAt.get(uid);
    if (deletedAt === undefined || dependentCreatedAt === undefined) return false;
    return Date.parse(dependentCreatedAt) <= Date.parse(deletedAt);
  }
}
