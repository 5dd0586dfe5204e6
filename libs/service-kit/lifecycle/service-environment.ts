import { assertUsablePair, FollowedFiles, refusalIn } from '@binnacle/backend-access';
import {
  FlagError,
  type FlagValues,
  readFlagFile,
  registerFeatureMetrics,
  type serviceFlags,
  type tracingFlags,
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
import { type Tracing, tracingFromFlags } from '@binnacle/tracing';
import { createHealth, type Health } from '../health/health.ts';
import { startOperationsServer } from '../operations-server/start-operations-server.ts';
import type { RunningService } from './run-service.ts';

/** Time after the start for which long event loop stalls are not logged, in ms. */
const startMs = 10_000;

/** The environment of every process, including those without calls between services. */
interface ProcessEnvironment {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** The files that can be exchanged while the process runs. */
  readonly files: FollowedFiles;
}

/** The environment of a process that calls other services or is called by them. */
export interface ServiceEnvironment extends ProcessEnvironment {
  /** Transport security of calls in both directions. */
  readonly security: TransportSecurity;
  /** Refusals by the services that the process calls; an option of `connectRpc`. */
  readonly peers: PeerRefusals;
  /** Undefined: nothing is traced. */
  readonly tracing: Tracing | undefined;
}

/** Creates the environment of a service from the flags that all services share. */
export async function createServiceEnvironment(
  service: string,
  flags: FlagValues<typeof serviceFlags & typeof tracingFlags>,
): Promise<ServiceEnvironment> {
  const read = await securityFrom(flags);
  const environment = createProcessEnvironment(service, flags);
  const security: TransportSecurity =
    read.tls && flags.tlsDir !== undefined
      ? { tls: followServiceTls(read.tls, flags.tlsDir, environment) }
      : read;
  const peers = new PeerRefusals();
  environment.health.add('services', () => peers.assertNone());
  const tracing = await tracingFromFlags(flags, { service, ...environment });
  return { ...environment, security, peers, tracing };
}

/**
 * Follows the certificate for calls between services, and exports its expiry; a process whose certificate has expired is not ready. What
 * the result has are the latest files.
 */
function followServiceTls(
  first: TlsMaterial,
  directory: string,
  { files, metrics, health }: ProcessEnvironment,
): TlsMaterial {
  const listeners: (() => void)[] = [];
  const note = ({ cert, ca }: TlsMaterial): void =>
    noteCertificates(metrics, [
      { name: 'services', pem: cert },
      { name: 'services-authority', pem: ca },
    ]);
  note(first);
  const current = files.follow('--tls-dir', {
    first,
    async read() {
      const found = await readServiceTls(directory);
      note(found);
      return found;
    },
    onChange() {
      for (const listener of listeners) listener();
    },
  });
  health.add('certificate', () => {
    const end = certificateEnd(current().cert);
    if (end !== undefined && Date.now() >= end) throw new Error('the certificate for calls has expired');
  });
  return {
    get ca() {
      return current().ca;
    },
    get cert() {
      return current().cert;
    },
    get key() {
      return current().key;
    },
    onChange: listener => void listeners.push(listener),
  };
}

/** Creates the environment of a process without calls between services. */
export function createProcessEnvironment(
  service: string,
  flags: Pick<
    FlagValues<typeof serviceFlags>,
    'logLevel' | 'logFormat' | 'featureGates' | 'tlsReloadInterval'
  >,
): ProcessEnvironment {
  const log = createLogger({ level: flags.logLevel, format: flags.logFormat, fields: { service } });
  const refusals = new Map<string, string>();
  const health = createHealth({
    onFailure(check, error) {
      const refusal = refusalIn(error)?.message;
      // A refusal lasts until the configuration changes, so it is logged once.
      if (refusal !== undefined && refusals.get(check) === refusal) return;
      if (refusal !== undefined) refusals.set(check, refusal);
      log.warn('a health check failed', { check, error });
    },
  });
  const metrics = createMetrics();
  registerFeatureMetrics(metrics, flags.featureGates);
  watchEventLoop({ metrics, log, quietMs: startMs });
  for (const warning of flags.featureGates.warnings) log.warn(warning);
  const files = new FollowedFiles();
  files.start(flags.tlsReloadInterval, log);
  return { log, metrics, health, files };
}

/** Reads the transport security: mutual TLS from `--tls-dir`, or plaintext with `--insecure`; exactly one of them must be set. */
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
  // Detects a key that does not match the certificate at the start, not at the first connection.
  assertUsablePair(tls);
  return tls;
}

/** Options of serving metrics and health. */
interface ServeOperationsOptions {
  readonly flags: Pick<FlagValues<typeof serviceFlags>, 'operationsHost' | 'operationsPort'>;
  /** Resources disposed of in reverse order, after the last call has ended. */
  readonly resources: readonly AsyncDisposable[];
}

/** Options of serving contracts over gRPC. */
interface ServeOptions extends ServeOperationsOptions {
  /** Contracts with their handlers. */
  readonly services: readonly ServiceImplementation[];
  readonly host: string;
  readonly port: number;
  /** The server accepts calls once it resolves; until then clients use other pods. Default: at once. */
  readonly ready?: Promise<unknown>;
  /** Whether clients should prefer this pod; default: no pod is preferred. */
  readonly preference?: PodPreference;
}

/** Serves contracts over gRPC, and metrics and health, until the service is stopped. */
export async function serve(
  environment: ServiceEnvironment,
  { flags, services, host, port, resources, ready, preference }: ServeOptions,
): Promise<RunningService> {
  await using stack = new AsyncDisposableStack();
  const { log, metrics, health, security, tracing } = environment;
  if (tracing !== undefined) stack.use(tracing);
  const operations = await serveOperations(environment, { flags, resources });
  stack.defer(() => operations.stop());
  const rpc = await startRpcServer({
    ...security,
    services,
    host,
    port,
    log,
    metrics,
    tracer: tracing?.tracer,
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

/** Serves metrics and health of a process without a gRPC server, until it is stopped. */
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
