import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import { type ClassifiedOwner, classifyOwners } from './classify-owners.ts';
import { type CollectionDecision, decideCollection } from './decide-collection.ts';
import { deletionStageFromMetadata, foregroundFinalizer } from './deletion-stage.ts';
import type { DependencyGraph, GraphObject } from './dependency-graph.ts';
import { type ChangeOutcome, stateFromMetadata } from './garbage-api.ts';
import type { GarbageWorld, KnownState, PassOutcome } from './garbage-world.ts';
import { orphanDependents } from './orphan-dependents.ts';
import { removeFinalizer } from './remove-finalizer.ts';

/**
 * Performs one pass over an affected object. The decision follows from the owners' state in the API, and its change has as its
 * precondition the state of the object on which it was based: that of the feed, or the current one where that is outdated.
 */
export async function reconcileObject(
  uid: string,
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { graph, api } = world;
  const object = graph.get(uid);
  if (object === undefined) return done;
  if (object.stage === 'live' && graph.standsByOwners(object)) return done;
  const first = await deal({ object, metadata: object.metadata }, world, signal);
  if (first !== 'changed') return first;
  const metadata = await api.read(object, signal);
  // The feed will report that the object is gone, or that another one has its name.
  if (metadata?.uid !== uid) return done;
  const second = await deal({ object, metadata }, world, signal);
  return second === 'changed' ? retry : second;
}

async function deal(state: KnownState, world: GarbageWorld, signal: AbortSignal): Promise<PassOutcome> {
  switch (deletionStageFromMetadata(state.metadata)) {
    case 'deleting':
      return done;
    case 'orphaning-dependents':
      return orphanDependents(state, world, signal);
    case 'deleting-dependents':
      return deleteDependentsFirst(state, world, signal);
    case 'live':
      return collectUnlessOwned(state, world, signal);
  }
}

async function collectUnlessOwned(
  { object, metadata }: KnownState,
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<PassOutcome> {
  const { graph, api } = world;
  const dependent = { namespace: object.namespace, metadata };
  const owners = await classifyOwners(dependent, { ...world.owners, api }, signal);
  await tellOfInvalidOwners(object, owners, world, signal);
  const decision = decideCollection(metadata, owners, graph.findDependents(object.uid));
  switch (decision.kind) {
    case 'keep':
      return isFollowed(owners, graph) ? done : retry;
    case 'wait':
      return retry;
    case 'release': {
      const released = await releaseOwners({ object, metadata, uids: decision.uids }, world, signal);
      return afterChange(released.kind);
    }
    case 'remove':
      return remove({ object, metadata, decision }, world, signal);
  }
}

/**
 * Whether the feeds report every owner: the end of an existing owner outside the feeds would go unnoticed, so that one is read
 * again.
 */
function isFollowed(owners: readonly ClassifiedOwner[], graph: DependencyGraph): boolean {
  return owners.every(
    ({ standing, reference }) => standing !== 'solid' || graph.get(reference.uid) !== undefined,
  );
}

async function tellOfInvalidOwners(
  object: GraphObject,
  owners: readonly ClassifiedOwner[],
  { graph, onInvalidOwner }: GarbageWorld,
  signal: AbortSignal,
): Promise<void> {
  for (const { reference, standing } of owners) {
    const elsewhere = standing === 'absent' ? graph.get(reference.uid)?.namespace : undefined;
    const isInvalid = elsewhere !== undefined && elsewhere !== '' && elsewhere !== object.namespace;
    if (isInvalid || standing === 'out-of-reach') await onInvalidOwner(object, reference, signal);
  }
}

function releaseOwners(
  { object, metadata, uids }: KnownState & { readonly uids: ReadonlySet<string> },
  { api }: GarbageWorld,
  signal: AbortSignal,
): Promise<ChangeOutcome> {
  const ownerReferences = (metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid));
  return api.replace(object, stateFromMetadata(metadata), { metadata: { ownerReferences }, signal });
}

async function remove(
  { object, metadata, decision }: KnownState & { readonly decision: CollectionDecision & { kind: 'remove' } },
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<PassOutcome> {
  const { propagation, unblocks } = decision;
  let state = stateFromMetadata(metadata);
  if (unblocks) {
    const unblocked = await unblockOwners({ object, metadata }, world, signal);
    if (unblocked.kind !== 'done') return afterChange(unblocked.kind);
    state = stateFromMetadata(unblocked.metadata);
  }
  const outcome = await world.api.remove(object, state, { propagation, signal });
  if (outcome === 'done') world.onRemoved(object, propagation);
  return outcome === 'changed' ? outcome : done;
}

function unblockOwners(
  { object, metadata }: KnownState,
  { api }: GarbageWorld,
  signal: AbortSignal,
): Promise<ChangeOutcome> {
  const ownerReferences = (metadata.ownerReferences ?? []).map(owner =>
    owner.blockOwnerDeletion === true ? { ...owner, blockOwnerDeletion: false } : owner,
  );
  return api.replace(object, stateFromMetadata(metadata), { metadata: { ownerReferences }, signal });
}

/** Turns the outcome of a change into that of the pass: a changed object needs another pass. */
function afterChange(outcome: ChangeOutcome['kind']): PassOutcome {
  if (outcome === 'changed') return outcome;
  return outcome === 'gone' ? done : retry;
}

/**
 * Performs one pass over an object that is deleted after its dependents: removes its finalizer once no dependent blocks it. The graph
 * reports its dependents as affected when it begins to wait and when new ones appear, and the object itself when one of them is
 * deleted or stops blocking.
 */
async function deleteDependentsFirst(
  state: KnownState,
  world: GarbageWorld,
  signal: AbortSignal,
): Promise<PassOutcome> {
  if (!world.isComplete()) return retry;
  if (world.graph.isBlocked(state.object.uid)) return done;
  return removeFinalizer({ ...state, finalizer: foregroundFinalizer }, world, signal);
}
