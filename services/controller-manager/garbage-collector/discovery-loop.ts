import { groups } from '@binnacle/api-names';
import type { ApiClient } from '@binnacle/client';
import {
  type DiscoveredResource,
  type Discovery,
  discoverResources,
} from '../discovery/discover-resources.ts';
import type { Reconciled } from '../work-queue/reconciled.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';

/** Options of the discovery loop. */
interface DiscoveryLoopOptions {
  readonly client: Pick<ApiClient, 'request'>;
  readonly periodMs: number;
  /** Milliseconds between discoveries after a definition changed; default 1000. */
  readonly urgentMs?: number;
  readonly onDiscovery: (discovery: Discovery) => void;
  readonly onError: (error: unknown) => void;
}

/** Objects of these types change what the API serves. */
const definingTypes = new Set([
  `${groups.apiextensions}/customresourcedefinitions`,
  `${groups.apiregistration}/apiservices`,
]);
/** Discoveries after a change of a definition, which is served some time later. */
const urgentPasses = 5;
const usualUrgentMs = 1000;

/** Discovers the served types periodically, and soon after an object changed that defines some. */
export class DiscoveryLoop {
  readonly #options: DiscoveryLoopOptions;
  readonly #queue: WorkQueue;
  readonly #urgentMs: number;
  #expedited = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: DiscoveryLoopOptions) {
    this.#options = options;
    this.#urgentMs = options.urgentMs ?? usualUrgentMs;
    this.#queue = new WorkQueue({
      concurrency: 1,
      reconcile: (_key, signal) => this.#discover(signal),
      onError: (_key, error) => options.onError(error),
    });
  }

  /** Discovers until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    this.#queue.add('resources');
    return this.#queue.run(signal);
  }

  /** Records the change of an object of a type. */
  onChange({ group, resource }: Pick<DiscoveredResource, 'group' | 'resource'>): void {
    if (!definingTypes.has(`${group}/${resource}`)) return;
    this.#expedited = urgentPasses;
    this.#queue.addAfter('resources', Math.max(0, this.#last + this.#urgentMs - performance.now()));
  }

  async #discover(signal: AbortSignal): Promise<Reconciled> {
    const { client, periodMs, onDiscovery } = this.#options;
    onDiscovery(await discoverResources(client, signal));
    this.#last = performance.now();
    if (this.#expedited === 0) return { kind: 'again', afterMs: periodMs };
    this.#expedited--;
    return { kind: 'again', afterMs: Math.min(this.#urgentMs, periodMs) };
  }
}
