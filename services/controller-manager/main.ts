import { createApiClient, loadClientConfiguration } from '@binnacle/client';
import {
  createProcessEnvironment,
  noteCertificates,
  parseFlags,
  type RunningService,
  runService,
  serveOperations,
} from '@binnacle/service-kit';
import { checkGateway } from './check-gateway.ts';
import { controllerManagerFlags } from './config.ts';
import { runControllerManager } from './controller-manager.ts';
import { GatewayNames } from './gateway-names.ts';
import { readAccountFiles } from './service-accounts/read-account-files.ts';

await runService({ name: 'controller-manager', start });

async function start(): Promise<RunningService> {
  const flags = parseFlags(controllerManagerFlags);
  // The public API is all that it calls: no call between services needs a certificate.
  const environment = createProcessEnvironment('controller-manager', flags);
  const configuration = loadClientConfiguration(flags.kubeconfig);
  const accountFiles = await readAccountFiles(flags, configuration.certificateAuthority);
  const client = createApiClient({
    configuration: flags.servers.length > 0 ? { ...configuration, servers: flags.servers } : configuration,
    userAgent: 'controller-manager',
  });
  noteCertificates(environment.metrics, [
    { name: 'api-client', pem: configuration.clientCertificate },
    { name: 'api-authority', pem: configuration.certificateAuthority },
  ]);
  environment.health.add('gateway', signal => checkGateway(client, signal));
  const names = new GatewayNames({ client, log: environment.log });
  environment.health.add('api-names', () => names.assertSame());
  const stopping = new AbortController();
  const running = await serveOperations(environment, { flags, resources: [client] });
  const ended = names.untilSame(stopping.signal).then(() =>
    runControllerManager({
      ...flags,
      accountFiles,
      client,
      log: environment.log,
      metrics: environment.metrics,
      signal: stopping.signal,
    }),
  );
  return {
    ended,
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
      await running.stop();
    },
  };
}
