import { type ApiClient, candidateIdentity, runLeaderElection } from '@binnacle/client';
import { FailureLog, type Logger, type Metrics } from '@binnacle/service-kit';
import { runControllers } from './controllers.ts';
import { createGarbageMetrics } from './garbage-collector/garbage-metrics.ts';
import type { ControllerName } from './selection/chosen-controllers.ts';

/** What the controller manager works with. */
export interface ControllerManagerOptions {
  /** A client of the public API: the controllers have no other way in. */
  readonly client: ApiClient;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Unique to this process; a name with chance in it when not given. */
  readonly identity?: string;
  readonly leaseDurationMs: number;
  readonly retryMs: number;
  /** Those that run. */
  readonly controllers: ReadonlySet<ControllerName>;
  /** Whether dependents of deleted owners are collected, as far as the collector is among the controllers. */
  readonly enableGarbageCollector: boolean;
  /** Objects that the collector works on at the same time. */
  readonly concurrentGcSyncs: number;
  readonly signal: AbortSignal;
}

/** Runs the controllers whenever this process is the elected one, until the signal aborts. */
export async function runControllerManager(options: ControllerManagerOptions): Promise<void> {
  const { client, log, metrics } = options;
  const leading = metrics.gauge({
    name: 'leader_election_master_status',
    help: '1 while this process leads.',
    labelNames: ['name'],
  });
  const errors = metrics.counter({
    name: 'controller_errors_total',
    help: 'Passes that failed.',
    labelNames: ['controller'],
  });
  const garbageMetrics = createGarbageMetrics(metrics);
  const leadingNow = leading.labels('controller-manager');
  leadingNow.set(0);
  const failures = new FailureLog({
    log,
    failed: 'the election lease cannot be read or written, retrying',
    worked: 'the election lease was read or written after failures',
  });
  await runLeaderElection({
    client,
    namespace: 'cluster-system',
    name: 'controller-manager',
    identity: options.identity ?? candidateIdentity(),
    leaseDurationMs: options.leaseDurationMs,
    retryMs: options.retryMs,
    signal: options.signal,
    onError: error => failures.failed(error),
    onSuccess: () => failures.worked(),
    async lead(signal): Promise<void> {
      leadingNow.set(1);
      log.info('leading');
      const onError = (controller: string): void => errors.labels(controller).inc();
      const collector = { concurrency: options.concurrentGcSyncs, metrics: garbageMetrics };
      const garbageCollector = options.enableGarbageCollector ? collector : undefined;
      const { controllers } = options;
      await runControllers({ client, log, clock: Date.now, onError, garbageCollector, controllers }, signal);
      leadingNow.set(0);
      log.info('no longer leading');
    },
  });
}
