import type { ObjectMeta } from '@binnacle/api-objects';

/** The finalizer of an object that waits for its dependents to be deleted before it. */
export const foregroundFinalizer = 'foregroundDeletion';
/** The finalizer of an object that waits for its dependents to be let go. */
export const orphanFinalizer = 'orphan';

/** How far the deletion of an object has come, as far as its dependents are concerned. */
export type DeletionStage =
  | 'live'
  /** It goes, whatever else holds it: its dependents do not matter to it. */
  | 'deleting'
  /** It goes after its dependents. */
  | 'deleting-dependents'
  /** It goes once its dependents have been let go. */
  | 'orphaning-dependents';

/** The stage that the metadata of an object say (spec 1, "Deletion of an object"). */
export function deletionStageFromMetadata({ deletionTimestamp, finalizers = [] }: ObjectMeta): DeletionStage {
  if (deletionTimestamp === undefined) return 'live';
  if (finalizers.includes(orphanFinalizer)) return 'orphaning-dependents';
  return finalizers.includes(foregroundFinalizer) ? 'deleting-dependents' : 'deleting';
}
