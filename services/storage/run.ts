import { Refusal } from '@binnacle/backend-access';
import { versionLine } from '@binnacle/build-info';
import { endIfValidating, parseServiceFlags } from '@binnacle/flags';
import { deadlineIn, type StorageService, storageContract } from '@binnacle/proto';
import { type AllowedCallers, implementService, PodPreference } from '@binnacle/rpc';
import { createServiceEnvironment, type RunningService, runService, serve } from '@binnacle/service-kit';
import { spaceProblem } from '@binnacle/storage-contract';
import { noteCertificates } from '@binnacle/tls';
import { serviceOptionsFrom, storageFlags } from './config.ts';
import { createStorageService } from './storage-service.ts';

/** Milliseconds within which the backend must answer for the service to be ready. */
const backendCheckMs = 1500;

/** The allowed callers of each method: only gateways write; only storage itself compacts. */
const allowedCallers: AllowedCallers<StorageService> = {
  gateway: ['get', 'list', 'transact', 'typeRevision', 'changes', 'space'],
  admission: ['get', 'list', 'typeRevision', 'changes'],
  'token-review': ['get'],
};

// Below the constants that it uses: the service starts before the rest of the file is evaluated.
await runService({ name: 'storage', start });

async function start(): Promise<RunningService> {
  const flags = parseServiceFlags(storageFlags, { version: versionLine('storage') });
  const environment = await createServiceEnvironment('storage', flags);
  const { log, metrics, health, files } = environment;
  const options = await serviceOptionsFrom(flags, files);
  endIfValidating(flags);
  // The publisher reads every write: publishing and serving writes cost less in one process than in two.
  const preference = new PodPreference();
  const onLeading = (isLeading: boolean): void => preference.set(isLeading);
  const tracer = environment.tracing?.tracer;
  const service = await createStorageService({ ...options, onLeading, log, metrics, tracer });
  const { backend } = options;
  if (backend.kind === 'etcd') {
    const note = (): void =>
      noteCertificates(metrics, [
        { name: 'etcd-client', pem: backend.etcd.tls?.identity?.cert },
        { name: 'etcd-authority', pem: backend.etcd.tls?.ca },
      ]);
    note();
    files.onChange(note);
  }
  health.add('backend', async signal => {
    await service.storage.typeRevision(undefined, { signal, deadline: deadlineIn(backendCheckMs) });
  });
  health.add(
    'store-space',
    async signal => {
      const space = await service.storage.space?.({ signal, deadline: deadlineIn(backendCheckMs) });
      const problem = space && spaceProblem(space);
      if (problem !== undefined) throw new Refusal(problem);
    },
    { informative: true },
  );
  if (service.checkKmsProviders !== undefined)
    health.add('kms-providers', service.checkKmsProviders, { informative: true });
  health.add('publisher', () => {
    if (service.publishingRefusal) throw service.publishingRefusal;
  });
  const running = await serve(environment, {
    flags,
    services: [implementService(storageContract, service.handlers, allowedCallers)],
    host: flags.host,
    port: flags.port,
    resources: [service],
    preference,
  });
  return { ...running, ended: service.refused };
}
