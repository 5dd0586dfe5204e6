import type { ObjectMeta } from '@binnacle/api-objects';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import { foregroundFinalizer } from './deletion-stage.ts';
import type { GraphObject } from './dependency-graph.ts';
import type { GarbageWorld } from './garbage-world.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/**
 * One pass over an object that goes after its dependents: those that block it are looked at, and once none is left the
 * finalizer is removed. The graph raises the object again when one of them goes or no longer blocks.
 */
export async function deleteDependentsFirst(
  object: GraphObject,
  metadata: ObjectMeta,
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<Reconciled> {
  if (!world.isComplete()) return retry;
  const blocking = world.graph.blockingDependentsOf(object.uid);
  if (blocking.length === 0)
    return removeFinalizer(object, { metadata, finalizer: foregroundFinalizer }, world, signal);
  for (const { uid, stage } of blocking) {
    if (stage === 'live') world.lookAt(uid);
  }
  return done;
}
