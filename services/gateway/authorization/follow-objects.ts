import type { ApiObject } from '@binnacle/api-objects';
import { type SliceQueue, sharedSlices } from '@binnacle/event-loop';
import type { CachedObject } from '@binnacle/watch-cache';

/** A state that is kept in step with the objects of a type. */
export interface ObjectFollower {
  put(object: ApiObject, namespace: string, name: string): void;
  remove(namespace: string, name: string): void;
}

type FollowedObject = Pick<CachedObject, 'namespace' | 'name' | 'parse'>;

/** The parts of a type's cache that are used. */
interface FollowedCache {
  list(query: object): { readonly objects: readonly FollowedObject[] };
  subscribe(
    listener: (event: { readonly type: string; readonly object: FollowedObject }) => void,
  ): () => void;
}

/** A follower at work; `loaded` resolves once it has every object that was there when it began. */
export interface Following extends Disposable {
  readonly loaded: Promise<void>;
}

/**
 * Keeps a follower in step with the objects of a type: every change at once, and what was there before in slices. An
 * object that changes while the others are read is not read again in its older state.
 */
export function followObjects(
  cache: FollowedCache,
  follower: ObjectFollower,
  slices: SliceQueue = sharedSlices,
): Following {
  let changed: Set<string> | undefined = new Set();
  let isStopped = false;
  // Listing and subscribing happen in one turn, so no change comes between them.
  const { objects } = cache.list({});
  const stop = cache.subscribe(({ type, object }) => {
    changed?.add(objectKey(object));
    if (type === 'DELETED') follower.remove(object.namespace, object.name);
    else follower.put(object.parse(), object.namespace, object.name);
  });
  const load = async (): Promise<void> => {
    for (const object of objects) {
      if (slices.isOver()) await slices.yield();
      if (isStopped) return;
      if (changed?.has(objectKey(object))) continue;
      follower.put(object.parse(), object.namespace, object.name);
    }
    changed = undefined;
  };
  return {
    loaded: load(),
    [Symbol.dispose]() {
      isStopped = true;
      stop();
    },
  };
}

function objectKey({ namespace, name }: FollowedObject): string {
  return `${namespace}\n${name}`;
}
