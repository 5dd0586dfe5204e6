import { namespaces, objects } from '@binnacle/api-names';
import { type ApiClient, candidateIdentity, runLeaderElection } from '@binnacle/client';
import type { FlagValues } from '@binnacle/flags';
import { FailureLog, type Logger, type Metrics } from '@binnacle/telemetry';
import type { controllerFlags, leaderElectionFlags } from './config.ts';
import { runControllers } from './controllers.ts';
import { createGarbageMetrics } from './garbage-collector/garbage-metrics.ts';
import type { AccountFiles } from './service-accounts/read-account-files.ts';

/** Options of the controller manager. */
interface ControllerManagerOptions extends FlagValues<typeof controllerFlags & typeof leaderElectionFlags> {
  /** Client of the public API, which is the controllers' only access to the state. */
  readonly client: ApiClient;
  /** Contents of the files that flags name. */
  readonly accountFiles: AccountFiles;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Identity in the election, unique to this process; default: a random name. */
  readonly identity?: string;
  readonly signal: AbortSignal;
}

/** Runs the controllers whenever this process is the leader, until the signal aborts. */
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
    namespace: namespaces.system,
    name: objects.controllerLease,
    identity: options.identity ?? candidateIdentity(),
    leaseDurationMs: options.leaderElectLeaseDuration,
    retryMs: options.leaderElectRetryPeriod,
    signal: options.signal,
    onError: error => failures.failed(error),
    onSuccess: () => failures.worked(),
    async lead(signal): Promise<void> {
      leadingNow.set(1);
      log.info('leading');
      const onError = (controller: string): void => errors.labels(controller).inc();
      const collector = { concurrency: options.concurrentGcSyncs, metrics: garbageMetrics };
      const garbageCollector = options.enableGarbageCollector ? collector : undefined;
      const { controllers, accountFiles } = options;
      const shared = { client, log, clock: Date.now, onError };
      await runControllers({ ...shared, garbageCollector, controllers, accountFiles }, signal);
      leadingNow.set(0);
      log.info('no longer leading');
    },
  });
}
