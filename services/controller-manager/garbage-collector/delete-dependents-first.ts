import { done, retry } from '../work-queue/reconciled.ts';
import { foregroundFinalizer } from './deletion-stage.ts';
import type { GarbageWorld, KnownState, PassOutcome } from './garbage-world.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/**
 * One pass over an object that goes after its dependents: once none is left that blocks it, the finalizer is removed. The
 * graph raised its dependents when it began to wait, raises those that come, and the object itself whenever one of them goes
 * or no longer blocks.
 */
export async function deleteDependentsFirst(
  state: KnownState,
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<PassOutcome> {
  if (!world.isComplete()) return retry;
  if (world.graph.isBlocked(state.object.uid)) return done;
  return removeFinalizer({ ...state, finalizer: foregroundFinalizer }, world, signal);
}
