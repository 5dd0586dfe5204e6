import { BoundedMap } from '@binnacle/event-loop';
/** Remembers the objects whose creation was reviewed a moment ago. */
export interface RecentReviews {
  /** Notes a review of the object with this uid; answers whether there was one before. */
  note(uid: string): boolean;
}

/** Creates a memory of at most `capacity` objects, the oldest forgotten first. */
export function createRecentReviews(capacity = 4096): RecentReviews {
  const uids = new BoundedMap<string, true>(capacity);
  return {
    note(uid) {
      if (uid === '') return false;
      if (uids.has(uid)) return true;
      uids.set(uid, true);
      return false;
    },
  };
}
