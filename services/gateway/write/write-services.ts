import type { WatchCache } from '@binnacle/watch-cache';
import type { CurrentServices } from './engine/current-object.ts';
import type { EngineServices } from './engine/run-write.ts';
import type { RecordingServices } from './managed-fields/record-write.ts';

/** What creates and deletes objects. */
export interface WriteServices extends EngineServices, CurrentServices, RecordingServices {}

/** What changes objects: the first attempt may start from the cache. */
export interface UpdateServices extends WriteServices {
  readonly watchCache: WatchCache;
}
