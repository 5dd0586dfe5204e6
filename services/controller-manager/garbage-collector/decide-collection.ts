import type { ObjectMeta } from '@binnacle/api-objects';
import type { ClassifiedOwner, OwnerStanding } from './classify-owners.ts';
import { type DeletionStage, foregroundFinalizer, orphanFinalizer } from './deletion-stage.ts';
import type { Propagation } from './garbage-api.ts';

/** The decision on an object that names owners. */
export type CollectionDecision =
  | { readonly kind: 'keep' }
  /** The kind of an owner is unknown: the decision has to wait. */
  | { readonly kind: 'wait' }
  /** The object stays, without the references to these owners. */
  | { readonly kind: 'release'; readonly uids: ReadonlySet<string> }
  | {
      readonly kind: 'remove';
      readonly propagation: Propagation;
      /** Whether it must first stop blocking the deletion of its owners, because it and its owners would wait for each other. */
      readonly unblocks: boolean;
    };

/**
 * Decides on a live object by the standing of its owners: it is deleted when it has owners and none of them is solid. An owner that
 * waits for its dependents counts as deleted, or it would wait forever.
 */
export function decideCollection(
  { finalizers = [] }: Pick<ObjectMeta, 'finalizers'>,
  owners: readonly ClassifiedOwner[],
  dependents: readonly { readonly stage: DeletionStage }[],
): CollectionDecision {
  const those = (standing: OwnerStanding) => owners.filter(owner => owner.standing === standing);
  if (owners.length === 0 || those('out-of-reach').length > 0) return { kind: 'keep' };
  if (those('unknown-kind').length > 0) return { kind: 'wait' };
  const letGo = those('let-go');
  const gone = [...those('absent'), ...those('waiting')];
  if (letGo.length > 0) return release(letGo);
  if (those('solid').length > 0) return gone.length > 0 ? release(gone) : { kind: 'keep' };
  if (those('waiting').length > 0 && dependents.length > 0) {
    const unblocks = dependents.some(({ stage }) => stage === 'deleting-dependents');
    return { kind: 'remove', propagation: 'Foreground', unblocks };
  }
  return { kind: 'remove', propagation: propagationFromFinalizers(finalizers), unblocks: false };
}

function release(owners: readonly ClassifiedOwner[]): CollectionDecision {
  return { kind: 'release', uids: new Set(owners.map(({ reference }) => reference.uid)) };
}

/** Returns the propagation of an object's deletion; finalizers that already decide on its dependents take precedence. */
function propagationFromFinalizers(finalizers: readonly string[]): Propagation {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
