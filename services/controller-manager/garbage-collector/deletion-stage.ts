import type { ObjectMeta } from '@binnacle/api-objects';

/** The finalizer of an object that waits for its dependents to be deleted before it. */
export const foregroundFinalizer = 'foregroundDeletion';
/** The finalizer of an object that waits for its dependents to be orphaned. */
export const orphanFinalizer = 'orphan';

/** The stage of an object's deletion, with regard to its dependents. */
export type DeletionStage =
  | 'live'
  /** It is being deleted and does not wait for dependents. */
  | 'deleting'
  /** It waits until its dependents are deleted. */
  | 'deleting-dependents'
  /** It waits until its dependents are orphaned. */
  | 'orphaning-dependents';

/** Derives the stage from the metadata of an object (spec 1, "Deletion of an object"). */
export function deletionStageFromMetadata({ deletionTimestamp, finalizers = [] }: ObjectMeta): DeletionStage {
  if (deletionTimestamp === undefined) return 'live';
  if (finalizers.includes(orphanFinalizer)) return 'orphaning-dependents';
  return finalizers.includes(foregroundFinalizer) ? 'deleting-dependents' : 'deleting';
}
