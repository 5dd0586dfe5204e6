import type { ResourceDefinition } from '@binnacle/api-types';
import type { CacheEvent } from '../contract/contract.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { StoredObject, type StoredObjectParts } from '../object-store/stored-object.ts';
import type { ReceivedChange } from './received-change.ts';

/**
 * Converts changes that the listing already contains into events for the window.
 *
 * The state before a change comes from the previous change of the same key, or else from the change record; in the latter case
 * its revision is unknown. The last state of each object shares the bytes of the store.
 */
export class History {
  readonly #definition: ResourceDefinition;
  readonly #store: ObjectStore;
  readonly #latest = new Map<string, StoredObject | undefined>();

  constructor(definition: ResourceDefinition, store: ObjectStore) {
    this.#definition = definition;
    this.#store = store;
  }

  /** Returns the event of the next change; undefined for the deletion of an unknown object. */
  eventFrom(change: ReceivedChange): CacheEvent | undefined {
    const previous = this.#before(change);
    const { revision, received } = change;
    if (change.type === 'deleted') {
      this.#latest.set(change.key, undefined);
      return previous && { type: 'DELETED', revision, object: previous, previous, received };
    }
    const object = this.#after(change);
    this.#latest.set(change.key, object);
    return { type: previous === undefined ? 'ADDED' : 'MODIFIED', revision, object, previous, received };
  }

  #before(change: ReceivedChange): StoredObject | undefined {
    if (this.#latest.has(change.key)) return this.#latest.get(change.key);
    const { key, previous } = change;
    return previous && this.#version({ key, revision: 0, stored: previous });
  }

  #after({ key, revision, stored }: ReceivedChange): StoredObject {
    const listed = this.#store.get(key);
    return listed?.revision === revision ? listed : this.#version({ key, revision, stored });
  }

  #version(parts: StoredObjectParts): StoredObject {
    const { key } = parts;
    return new StoredObject(this.#definition, parts, this.#latest.get(key) ?? this.#store.get(key));
  }
}
