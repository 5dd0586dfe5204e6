import { createSecureContext } from 'node:tls';
import { refusalIn } from '@binnacle/backend-access';
import {
  FlagError,
  type FlagValues,
  readFlagFile,
  registerFeatureMetrics,
  type serviceFlags,
} from '@binnacle/flags';
import {
  PeerRefusals,
  type PodPreference,
  type ServiceImplementation,
  startRpcServer,
  type TransportSecurity,
} from '@binnacle/rpc';
import { createLogger, createMetrics, type Logger, type Metrics, watchEventLoop } from '@binnacle/telemetry';
import { certificateEnd, loadTls, noteCertificates, type TlsMaterial } from '@binnacle/tls';
import { createHealth, type Health } from '../health/health.ts';
import { startOperationsServer } from '../operations-server/start-operations-server.ts';
import type { RunningService } from './run-service.ts';

/** A start may hold the event loop for so long without a word. */
const startMs = 10_000;

/** The environment of every process, also of one that neither calls other services nor is called by them. */
interface ProcessEnvironment {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** The environment of every process that calls other services or is called by them. */
export interface ServiceEnvironment extends ProcessEnvironment {
  /** How it speaks to other services, and they to it. */
  readonly security: TransportSecurity;
  /** The services that it calls: for `connectRpc`. */
  readonly peers: PeerRefusals;
}

/** Builds what every service has from the flags that every service has. */
export async function createServiceEnvironment(
  service: string,
  flags: FlagValues<typeof serviceFlags>,
): Promise<ServiceEnvironment> {
  const security = await securityFrom(flags);
  const environment = createProcessEnvironment(service, flags);
  if (security.tls) watchServiceCertificate(security.tls, environment);
  const peers = new PeerRefusals();
  environment.health.add('services', () => peers.assertNone());
  return { ...environment, security, peers };
}

/** Shows when the certificate for calls between services ends; a process whose certificate has ended is not ready. */
function watchServiceCertificate({ cert, ca }: TlsMaterial, { metrics, health }: ProcessEnvironment): void {
  noteCertificates(metrics, [
    { name: 'services', pem: cert },
    { name: 'services-authority', pem: ca },
  ]);
  const end = certificateEnd(cert);
  health.add('certificate', () => {
    if (end !== undefined && Date.now() >= end) throw new Error('the certificate for calls has expired');
  });
}

/** Builds what every process has; the flags of calls between services are not read. */
export function createProcessEnvironment(
  service: string,
  flags: Pick<FlagValues<typeof serviceFlags>, 'logLevel' | 'logFormat' | 'featureGates'>,
): ProcessEnvironment {
  const log = createLogger({ level: flags.logLevel, format: flags.logFormat, fields: { service } });
  const refusals = new Map<string, string>();
  const health = createHealth({
    onFailure(check, error) {
      const refusal = refusalIn(error)?.message;
      // A refusal stands until the configuration changes: once is enough.
      if (refusal !== undefined && refusals.get(check) === refusal) return;
      if (refusal !== undefined) refusals.set(check, refusal);
      log.warn('a health check failed', { check, error });
    },
  });
  const metrics = createMetrics();
  registerFeatureMetrics(metrics, flags.featureGates);
  watchEventLoop({ metrics, log, quietMs: startMs });
  for (const warning of flags.featureGates.warnings) log.warn(warning);
  return { log, metrics, health };
}

/** Mutual TLS from the directory of `--tls-dir`, or plaintext with `--insecure`; one of the two must be given. */
export async function securityFrom(
  flags: Pick<FlagValues<typeof serviceFlags>, 'tlsDir' | 'insecure'>,
): Promise<TransportSecurity> {
  if (flags.insecure && flags.tlsDir !== undefined) {
    throw new FlagError('--tls-dir and --insecure exclude each other');
  }
  if (flags.insecure) return { insecure: true };
  if (flags.tlsDir === undefined) {
    throw new FlagError('--tls-dir must be given, or --insecure for plaintext between services');
  }
  return { tls: await readFlagFile('tlsDir', flags.tlsDir, readServiceTls) };
}

async function readServiceTls(directory: string): Promise<TlsMaterial> {
  const tls = await loadTls(directory);
  // A key of another certificate would be refused at the first connection, and not said at the start.
  createSecureContext(tls);
  return tls;
}

/** Where metrics and health are served, and what is disposed of when the process stops. */
interface ServeOperationsOptions {
  readonly flags: Pick<FlagValues<typeof serviceFlags>, 'operationsHost' | 'operationsPort'>;
  /** Disposed of in reverse order, after the last call has ended. */
  readonly resources: readonly AsyncDisposable[];
}

/** The parts that a service serves, and that it disposes of when it stops. */
interface ServeOptions extends ServeOperationsOptions {
  /** Contracts with their handlers. */
  readonly services: readonly ServiceImplementation[];
  readonly host: string;
  readonly port: number;
  /** Calls are taken once it resolves; until then clients prefer other pods. Default: at once. */
  readonly ready?: Promise<unknown>;
  /** Whether clients send their calls here first; default: no pod is preferred. */
  readonly preference?: PodPreference;
}

/** Serves contracts over gRPC, and metrics and health, until the service is stopped. */
export async function serve(
  environment: ServiceEnvironment,
  { flags, services, host, port, resources, ready, preference }: ServeOptions,
): Promise<RunningService> {
  await using stack = new AsyncDisposableStack();
  const { log, metrics, health, security } = environment;
  const operations = await serveOperations(environment, { flags, resources });
  stack.defer(() => operations.stop());
  const rpc = await startRpcServer({
    ...security,
    services,
    host,
    port,
    log,
    metrics,
    ...(ready && { ready }),
    ...(preference && { preference }),
  });
  stack.defer(() => rpc.stop());
  const running = stack.move();
  log.info('serving', { port: rpc.port });
  return {
    async stop(): Promise<void> {
      health.startShutdown();
      await running.disposeAsync();
    },
  };
}

/** Serves metrics and health of a process that serves nothing else, until it is stopped. */
export async function serveOperations(
  { metrics, health }: ProcessEnvironment,
  { flags, resources }: ServeOperationsOptions,
): Promise<RunningService> {
  await using stack = new AsyncDisposableStack();
  for (const resource of resources) stack.use(resource);
  stack.use(
    await startOperationsServer({ host: flags.operationsHost, port: flags.operationsPort, health, metrics }),
  );
  const running = stack.move();
  return {
    async stop(): Promise<void> {
      health.startShutdown();
      await running.disposeAsync();
    },
  };
}
