import type { CachedObject, CacheEvent, WatchedEvent } from '../contract/contract.ts';

/**
 * A change as watchers of a query see it: an object that enters the query was added, one that leaves it was deleted
 * and shows its last state that matched. Undefined when it does not concern them.
 */
export function watchedEventFrom(
  event: CacheEvent,
  matches: (object: CachedObject) => boolean,
): WatchedEvent | undefined {
  const { type, object, previous, revision } = event;
  if (type === 'DELETED') return matches(object) ? { type, object, revision } : undefined;
  const isMatch = matches(object);
  const wasMatch = previous !== undefined && matches(previous);
  if (isMatch) return { type: wasMatch ? 'MODIFIED' : 'ADDED', object, revision };
  return wasMatch ? { type: 'DELETED', object: previous, revision } : undefined;
}
