import { createApiClient, loadClientConfiguration } from '@binnacle/client';
import {
  createServiceEnvironment,
  parseFlags,
  type RunningService,
  runService,
  serve,
} from '@binnacle/service-kit';
import { controllerManagerFlags } from './config.ts';
import { runControllerManager } from './controller-manager.ts';

await runService({ name: 'controller-manager', start });

async function start(): Promise<RunningService> {
  const flags = parseFlags(controllerManagerFlags);
  const environment = await createServiceEnvironment('controller-manager', flags);
  const configuration = loadClientConfiguration(flags.kubeconfig);
  const client = createApiClient({
    configuration: flags.servers.length > 0 ? { ...configuration, servers: flags.servers } : configuration,
    userAgent: 'controller-manager',
  });
  const stopping = new AbortController();
  const running = await serve(environment, { flags, services: [], host: '', port: 0, resources: [client] });
  const ended = runControllerManager({
    client,
    log: environment.log,
    metrics: environment.metrics,
    leaseDurationMs: flags.leaderElectLeaseDuration,
    retryMs: flags.leaderElectRetryPeriod,
    controllers: flags.controllers,
    enableGarbageCollector: flags.enableGarbageCollector,
    concurrentGcSyncs: flags.concurrentGcSyncs,
    signal: stopping.signal,
  });
  return {
    ended,
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
      await running.stop();
    },
  };
}
