import type { ObjectMeta } from '@binnacle/api-objects';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import type { GraphObject } from './dependency-graph.ts';
import { stateOf } from './garbage-api.ts';
import type { GarbageWorld } from './garbage-world.ts';

/** Takes a finalizer off an object in the state that its metadata show; one that changed meanwhile is looked at again. */
export async function removeFinalizer(
  object: GraphObject,
  { metadata, finalizer }: { readonly metadata: ObjectMeta; readonly finalizer: string },
  { api }: GarbageWorld,
  signal: AbortSignal,
): Promise<Reconciled> {
  const finalizers = (metadata.finalizers ?? []).filter(each => each !== finalizer);
  const outcome = await api.replace(object, stateOf(metadata), { metadata: { finalizers }, signal });
  return outcome.kind === 'changed' ? retry : done;
}
