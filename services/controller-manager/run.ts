import { versionLine } from '@binnacle/build-info';
import { createApiClient, followClientConfiguration, loadClientConfiguration } from '@binnacle/client';
import { endIfValidating, parseServiceFlags, readFlagFile } from '@binnacle/flags';
import {
  createProcessEnvironment,
  type RunningService,
  runService,
  serveOperations,
} from '@binnacle/service-kit';
import { noteCertificates } from '@binnacle/tls';
import { checkGateways } from './check-gateway.ts';
import { controllerManagerFlags } from './config.ts';
import { runControllerManager } from './controller-manager.ts';
import { GatewayNames } from './gateway-names.ts';
import { readAccountFiles } from './service-accounts/read-account-files.ts';

await runService({ name: 'controller-manager', start });

async function start(): Promise<RunningService> {
  const flags = parseServiceFlags(controllerManagerFlags, { version: versionLine('controller-manager') });
  // It calls only the public API, so it needs no certificate for calls between services.
  const environment = createProcessEnvironment('controller-manager', flags);
  const { files } = environment;
  const configuration = await followClientConfiguration(
    '--kubeconfig',
    () => readFlagFile('kubeconfig', flags.kubeconfig, loadClientConfiguration),
    files,
  );
  const accountFiles = await readAccountFiles(flags, configuration, files);
  endIfValidating(flags);
  const servers = flags.servers.length > 0 ? flags.servers : configuration.servers;
  const createClient = (chosen: readonly string[]) =>
    createApiClient({ configuration, servers: chosen, userAgent: 'controller-manager' });
  const client = createClient(servers);
  const probes = servers.map(server => createClient([server]));
  const note = (): void =>
    noteCertificates(environment.metrics, [
      { name: 'api-client', pem: configuration.clientCertificate },
      { name: 'api-authority', pem: configuration.certificateAuthority },
    ]);
  note();
  files.onChange(note);
  environment.health.add('gateway', signal => checkGateways(probes, signal));
  const names = new GatewayNames({ client, log: environment.log });
  environment.health.add('api-names', () => names.assertSame());
  const stopping = new AbortController();
  const running = await serveOperations(environment, { flags, resources: [client, ...probes] });
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
