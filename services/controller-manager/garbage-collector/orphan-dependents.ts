import { retry } from '../work-queue/reconciled.ts';
import { orphanFinalizer } from './deletion-stage.ts';
import type { GraphObject } from './dependency-graph.ts';
import { stateFromMetadata } from './garbage-api.ts';
import type { GarbageWorld, KnownState, PassOutcome } from './garbage-world.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/** How many dependents are let go at a time. */
const parallelReleases = 8;
/** How often a dependent that keeps changing is read anew in one pass. */
const attempts = 5;

/**
 * One pass over an object that is deleted without its dependents: each of them loses its reference to the object, and then
 * the object its finalizer. Dependents that the graph hears of meanwhile are let go as well.
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

/** The first failure ends it once those under way are through: the next pass finds what is left. */
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

/** Starts from what the graph knows of the dependent, and reads it only when that is not its state any more. */
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
