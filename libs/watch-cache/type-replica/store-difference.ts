import type { ResourceDefinition } from '@binnacle/api-types';
import type { CacheEvent } from '../contract/contract.ts';
import { ObjectStore } from '../object-store/object-store.ts';
import { StoredObject } from '../object-store/stored-object.ts';
import type { ListedRecords } from './list-records.ts';

/** A new store, and the events between the old store and it. */
interface StoreDifference {
  readonly store: ObjectStore;
  /** In key order, deletions last and at the revision of the listing. */
  readonly events: readonly CacheEvent[];
}

/** Builds the store of a listing. Unchanged versions of objects are reused with their derived values. */
export function storeDifference(
  definition: ResourceDefinition,
  old: ObjectStore,
  listed: ListedRecords,
  now: number,
): StoreDifference {
  const store = new ObjectStore();
  const events: CacheEvent[] = [];
  for (const { key, revision, value } of listed.records) {
    const previous = old.get(key);
    const stored = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    // A store that was set back reuses revisions for different contents.
    const isSame = previous?.revision === revision && previous.stored.equals(stored);
    const object = isSame ? previous : new StoredObject(definition, { key, revision, stored }, previous);
    store.put(object);
    if (object === previous) continue;
    events.push({
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      revision,
      object,
      previous,
      received: now,
    });
  }
  for (const object of old.values()) {
    if (store.get(object.key) !== undefined) continue;
    events.push({ type: 'DELETED', revision: listed.revision, object, previous: object, received: now });
  }
  return { store, events };
}
