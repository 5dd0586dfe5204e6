import type { ObjectMeta, OwnerReference } from '@binnacle/api-objects';
import type { Reconciled } from '../work-queue/reconciled.ts';
import type { OwnerKnowledge } from './classify-owners.ts';
import type { DependencyGraph, GraphObject } from './dependency-graph.ts';
import type { GarbageApi, Propagation } from './garbage-api.ts';

/** The environment of the collector's passes. */
export interface GarbageWorld {
  readonly graph: DependencyGraph;
  readonly api: GarbageApi;
  readonly owners: Omit<OwnerKnowledge, 'api'>;
  /** Whether every served type has been listed: otherwise an object may have unknown dependents. */
  isComplete(): boolean;
  /** Called for an object that names an owner in another namespace, or one that it cannot name. */
  onInvalidOwner(object: GraphObject, reference: OwnerReference, signal: AbortSignal): Promise<void>;
  /** Called for an object whose dependents at the time of its deletion request are orphaned. */
  onLetGo(owner: ObjectMeta): void;
  /** Called after an object was deleted. */
  onRemoved(object: GraphObject, propagation: Propagation): void;
}

/** An object in the state that the feed or the API reported. */
export interface KnownState {
  readonly object: GraphObject;
  readonly metadata: ObjectMeta;
}

/** The outcome of a pass over one state of an object; `changed` when the object has another state by now. */
export type PassOutcome = Reconciled | 'changed';
