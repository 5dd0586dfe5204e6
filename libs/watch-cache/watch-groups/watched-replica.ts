import type { Revision } from '@binnacle/storage-contract';
import type { EventWindow } from '../event-window/event-window.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

/** The interface of a replica that its watchers use. */
export interface WatchedReplica {
  /** Name for measurements: `configmaps`, `deployments.apps`. */
  readonly resourceName: string;
  readonly storagePrefix: string;
  readonly revision: Revision;
  /** Whether the type is listed and follows the feed; until then new watches wait. */
  readonly isListed: boolean;
  /** Watches that start before this revision wait: the feed still delivers the changes up to it. 0: no wait. */
  readonly historyEnd: Revision;
  /** Watches that start before the window wait: earlier changes are still being added. */
  readonly awaitsHistory: boolean;
  readonly store: ObjectStore;
  readonly window: EventWindow;
}
