import { done } from '../work-queue/reconciled.ts';
import { stateFromMetadata } from './garbage-api.ts';
import type { GarbageWorld, KnownState, PassOutcome } from './garbage-world.ts';

/** Removes a finalizer from an object in a known state. */
export async function removeFinalizer(
  { object, metadata, finalizer }: KnownState & { readonly finalizer: string },
  { api }: GarbageWorld,
  signal: AbortSignal,
): Promise<PassOutcome> {
  const finalizers = (metadata.finalizers ?? []).filter(each => each !== finalizer);
  const outcome = await api.replace(object, stateFromMetadata(metadata), {
    metadata: { finalizers },
    signal,
  });
  return outcome.kind === 'changed' ? outcome.kind : done;
}
