import type { Metrics } from '@binnacle/telemetry';
import type { Propagation } from './garbage-api.ts';

/** The metrics of the collector. */
export interface GarbageMetrics {
  /** Sets the numbers of objects in the graph, followed types, and queued objects. */
  observe(state: { readonly objects: number; readonly types: number; readonly queued: number }): void;
  onRemoved(resource: string, propagation: Propagation): void;
  onOrphaned(): void;
  onDiscoveryFailure(): void;
}

/** Registers the metrics of the collector. */
export function createGarbageMetrics(metrics: Metrics): GarbageMetrics {
  const gauge = (name: string, help: string) => metrics.gauge({ name, help }).labels();
  const counter = (name: string, help: string) => metrics.counter({ name, help }).labels();
  const objects = gauge('garbage_collector_graph_objects', 'Objects in the graph of the garbage collector.');
  const types = gauge(
    'garbage_collector_followed_types',
    'Resource types that the garbage collector watches.',
  );
  const queued = gauge('garbage_collector_queue_depth', 'Objects in the queue of the garbage collector.');
  const removed = metrics.counter({
    name: 'garbage_collector_deletions_total',
    help: 'Objects deleted because their owners are gone, by propagation to their own dependents.',
    labelNames: ['resource', 'propagation'],
  });
  const orphaned = counter(
    'garbage_collector_orphanings_total',
    'Deleted owners whose dependents were orphaned.',
  );
  const failures = counter(
    'garbagecollector_controller_resources_sync_error_total',
    'Discoveries that did not find every resource type.',
  );
  return {
    observe(state): void {
      objects.set(state.objects);
      types.set(state.types);
      queued.set(state.queued);
    },
    onRemoved: (resource, propagation) => removed.labels(resource, propagation).inc(),
    onOrphaned: () => orphaned.inc(),
    onDiscoveryFailure: () => failures.inc(),
  };
}
