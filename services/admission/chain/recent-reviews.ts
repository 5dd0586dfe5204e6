import { BoundedMap } from '@binnacle/event-loop';
/** The objects whose creation was reviewed recently. */
export interface RecentReviews {
  /** Records a review of the object with this uid; returns whether there was one before. */
  note(uid: string): boolean;
}

/** Creates a record of at most `capacity` objects; the oldest is dropped first. */
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
