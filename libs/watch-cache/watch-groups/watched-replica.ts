import type { Revision } from '@binnacle/storage-contract';
import type { EventWindow } from '../event-window/event-window.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

/** The replica as its watchers see it. */
export interface WatchedReplica {
  /** For measurements: `configmaps`, `deployments.apps`. */
  readonly resourceName: string;
  readonly storagePrefix: string;
  readonly revision: Revision;
  /** Whether the type is listed and follows the feed; watches that begin meanwhile wait. */
  readonly isListed: boolean;
  /** Watches that begin before this revision wait: the feed still brings the changes up to it. */
  readonly historyEnd: Revision;
  /** Watches that begin before the window wait: earlier changes are still to come. */
  readonly awaitsHistory: boolean;
  readonly store: ObjectStore;
  readonly window: EventWindow;
}
