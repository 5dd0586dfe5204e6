import type { CachedObject, CacheEvent, WatchedEvent } from '../contract/contract.ts';

/**
 * Returns the watch event of a change for a query: ADDED for an object that starts to match, DELETED with the last matching state
 * for one that stops matching. Undefined if the change does not concern the query.
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
