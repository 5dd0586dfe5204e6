import { done, retry } from '../work-queue/reconciled.ts';
import { foregroundFinalizer } from './deletion-stage.ts';
import type { GarbageWorld, KnownState } from './garbage-world.ts';
import type { PassOutcome } from './reconcile-object.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/**
 * One pass over an object that goes after its dependents: those that block it are looked at, and once none is left the
 * finalizer is removed. The graph raises the object again when one of them goes or no longer blocks.
 */
export async function deleteDependentsFirst(
  state: KnownState,
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<PassOutcome> {
  if (!world.isComplete()) return retry;
  const blocking = world.graph.blockingDependentsOf(state.object.uid);
  if (blocking.length === 0)
    return removeFinalizer({ ...state, finalizer: foregroundFinalizer }, world, signal);
  for (const { uid, stage } of blocking) {
    if (stage === 'live') world.lookAt(uid);
  }
  return done;
}
