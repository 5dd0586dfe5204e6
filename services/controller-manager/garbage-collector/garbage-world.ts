import type { ObjectMeta, OwnerReference } from '@binnacle/api-objects';
import type { Reconciled } from '../work-queue/reconciled.ts';
import type { OwnerKnowledge } from './classify-owners.ts';
import type { DependencyGraph, GraphObject } from './dependency-graph.ts';
import type { GarbageApi, Propagation } from './garbage-api.ts';

/** The world of the collector's passes. */
export interface GarbageWorld {
  readonly graph: DependencyGraph;
  readonly api: GarbageApi;
  readonly owners: Omit<OwnerKnowledge, 'api'>;
  /** Whether every type that is known to be served has been listed: else an object may have unknown dependents. */
  isComplete(): boolean;
  /** An object names an owner that is in another namespace, or that it cannot name. */
  onInvalidOwner(object: GraphObject, reference: OwnerReference, signal: AbortSignal): Promise<void>;
  /** The dependents that an object had when its deletion was asked for are let go. */
  onLetGo(owner: ObjectMeta): void;
  /** An object was deleted. */
  onRemoved(object: GraphObject, propagation: Propagation): void;
}

/** An object in a state that it was in when the feed or the API told of it. */
export interface KnownState {
  readonly object: GraphObject;
  readonly metadata: ObjectMeta;
}

/** The outcome of a pass over one state of an object; `changed` when the object has left it. */
export type PassOutcome = Reconciled | 'changed';
