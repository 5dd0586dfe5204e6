import { retry } from '../work-queue/reconciled.ts';
import { orphanFinalizer } from './deletion-stage.ts';
import type { GraphObject } from './dependency-graph.ts';
import { stateFromMetadata } from './garbage-api.ts';
import type { GarbageWorld, KnownState, PassOutcome } from './garbage-world.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/** Dependents that are orphaned at a time. */
const parallelReleases = 8;
/** Attempts for a dependent that keeps changing, in one pass. */
const attempts = 5;

/**
 * Performs one pass over an object that is deleted without its dependents: removes the reference to the object from each dependent, and
 * then the finalizer of the object. Dependents that the graph learns of meanwhile are orphaned too.
 */
export async function orphanDependents(
  state: KnownState,
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<PassOutcome> {
  const { object, metadata } = state;
  if (!world.isComplete()) return retry;
  const handled = new Set<string>();
  for (;;) {
    const left = world.graph.findDependents(object.uid).filter(({ uid }) => !handled.has(uid));
    if (left.length === 0) break;
    for (const { uid } of left) handled.add(uid);
    await letGoAll(left, { owner: object.uid, world, signal });
  }
  world.onLetGo(metadata);
  return removeFinalizer({ ...state, finalizer: orphanFinalizer }, world, signal);
}

interface LettingGo {
  readonly owner: string;
  readonly world: GarbageWorld;
  readonly signal: AbortSignal;
}

/** Orphans dependents; after a failure those under way finish, and the next pass covers the rest. */
async function letGoAll(dependents: readonly GraphObject[], context: LettingGo): Promise<void> {
  const queue = dependents.values();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const dependent of queue) {
      if (failed) return;
      try {
        await letGo(dependent, context);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: parallelReleases }, worker));
  const failure = ends.find(end => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** Orphans one dependent, based on its state in the graph; reads it only when that is outdated. */
async function letGo(dependent: GraphObject, { owner, world, signal }: LettingGo): Promise<void> {
  let state = stateFromMetadata(dependent.metadata);
  let references = dependent.owners;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const ownerReferences = references.filter(({ uid }) => uid !== owner);
    if (ownerReferences.length === references.length) return;
    const outcome = await world.api.replace(dependent, state, { metadata: { ownerReferences }, signal });
    if (outcome.kind !== 'changed') return;
    const metadata = await world.api.read(dependent, signal);
    if (metadata?.uid !== dependent.uid) return;
    state = stateFromMetadata(metadata);
    references = metadata.ownerReferences ?? [];
  }
  throw new Error(
    `${dependent.type.resource} ${dependent.name} changes too often for its owner to be released`,
  );
}
