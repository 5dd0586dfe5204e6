import { type ApiObject, copyJson, nextGeneration, timestampFrom } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';

/** The fate of the dependents of a deleted object (spec 1, query parameter propagationPolicy). */
export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

/** The options of a deletion, and the time. */
export interface DeletionWish {
  readonly propagationPolicy?: PropagationPolicy | undefined;
  /** The older form of `propagationPolicy`. */
  readonly orphanDependents?: boolean | undefined;
  readonly gracePeriodSeconds?: number | bigint | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The effect of a deletion on an object. */
export type DeletionDecision =
  /** The object is being deleted already, and the request changes nothing. */
  | { readonly kind: 'unchanged' }
  /** The object stays, with these changes, until its finalizers or its grace period are over. */
  | { readonly kind: 'mark'; readonly object: ApiObject }
  /** The object is removed at once; `object` is its last state. */
  | { readonly kind: 'remove'; readonly object: ApiObject };

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/**
 * Decides what a deletion does (spec 1, "Deletion of an object"): the propagation policy becomes a finalizer, an object
 * with finalizers or a grace period is marked, any other one is removed. Pure; `old` is not changed.
 */
export function decideDeletion(
  definition: ResourceDefinition,
  old: ApiObject,
  wish: DeletionWish,
): DeletionDecision {
  const object = copyJson(old);
  setFinalizers(object, impliedWish(definition, old, wish));
  const grace = graceSeconds(definition, old, wish);
  if (old.metadata.deletionTimestamp === undefined) markDeleted(definition, object, { grace, now: wish.now });
  else if (grace !== undefined) shortenGrace(object, grace);
  if (isRemovable(definition, object)) return { kind: 'remove', object };
  const changes =
    object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    object.metadata.deletionGracePeriodSeconds !== old.metadata.deletionGracePeriodSeconds ||
    finalizersOf(object).join() !== finalizersOf(old).join();
  return changes ? { kind: 'mark', object } : { kind: 'unchanged' };
}

/** Whether an object is being deleted and nothing holds it any more: no finalizer and no grace period. */
export function isRemovable(definition: ResourceDefinition, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds > 0) return false;
  return finalizersOf(object).length === 0 && definition.rules.isHeld?.(object) !== true;
}

function finalizersOf(object: ApiObject): readonly string[] {
  return object.metadata.finalizers ?? [];
}

/** The options of a deletion without a propagation policy: finalizers of the object decide, else its kind. */
function impliedWish(definition: ResourceDefinition, old: ApiObject, wish: DeletionWish): DeletionWish {
  if (definition.rules.hasNoDependents === true)
    return { ...wish, propagationPolicy: 'Background', orphanDependents: undefined };
  if (!leavesDependentsUnsaid(wish) || definition.rules.orphansDependents === undefined) return wish;
  const isSaid = finalizersOf(old).some(finalizer => finalizer === orphan || finalizer === foreground);
  return isSaid ? wish : { ...wish, propagationPolicy: 'Orphan' };
}

/** Whether a deletion names no propagation policy. */
export function leavesDependentsUnsaid({
  propagationPolicy,
  orphanDependents,
}: Pick<DeletionWish, 'propagationPolicy' | 'orphanDependents'>): boolean {
  return propagationPolicy === undefined && orphanDependents === undefined;
}

/** Sets the finalizer of the propagation policy; without a policy the existing finalizers decide about the dependents. */
function setFinalizers(object: ApiObject, wish: DeletionWish): void {
  if (leavesDependentsUnsaid(wish)) return;
  const { propagationPolicy, orphanDependents } = wish;
  const kept = finalizersOf(object).filter(finalizer => finalizer !== orphan && finalizer !== foreground);
  if (propagationPolicy === 'Orphan' || orphanDependents === true) kept.push(orphan);
  if (propagationPolicy === 'Foreground') kept.push(foreground);
  if (kept.length > 0) object.metadata.finalizers = kept;
  else delete object.metadata.finalizers;
}

/** The grace period; undefined when the request names none for an object that is being deleted already. */
function graceSeconds(
  { rules }: ResourceDefinition,
  old: ApiObject,
  wish: DeletionWish,
): number | bigint | undefined {
  const isBeingDeleted = old.metadata.deletionTimestamp !== undefined;
  if (rules.gracePeriodSeconds === undefined) return isBeingDeleted ? undefined : 0;
  if (isBeingDeleted && wish.gracePeriodSeconds === undefined) return undefined;
  const usual = rules.gracePeriodSeconds(old);
  if (usual === undefined) return 0;
  const wanted = wish.gracePeriodSeconds ?? usual;
  // A negative period means the shortest one that is still graceful.
  return wanted < 0 ? 1 : wanted;
}

function markDeleted(
  definition: ResourceDefinition,
  object: ApiObject,
  { grace = 0, now }: { readonly grace: number | bigint | undefined; readonly now: number },
): void {
  const { metadata } = object;
  metadata.deletionTimestamp = timeAfter(now, grace);
  if ((metadata.generation ?? 0) > 0) metadata.generation = nextGeneration(metadata.generation);
  metadata.deletionGracePeriodSeconds = grace;
  definition.rules.prepareForDelete?.(object, now);
}

/** The last second that a timestamp can express. */
const latestTime = 253_402_300_799_000;

/** The time so many seconds after another, limited to the times that a timestamp can express. */
function timeAfter(ms: number, seconds: number | bigint): string {
  return timestampFrom(Math.min(Math.max(ms + Number(seconds) * 1000, 0), latestTime));
}

/** Shortens the grace period that is running; a later request cannot lengthen it. */
function shortenGrace(object: ApiObject, grace: number | bigint): void {
  const { metadata } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (grace >= deletionGracePeriodSeconds || deletionTimestamp === undefined) return;
  const began = Date.parse(deletionTimestamp) - Number(deletionGracePeriodSeconds) * 1000;
  metadata.deletionTimestamp = timeAfter(began, grace);
  metadata.deletionGracePeriodSeconds = grace;
}
