import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { checkPluginFlags, createAdmission } from '@binnacle/admission';
import type { AddedTypes } from '@binnacle/api-types';
import { FollowedFiles } from '@binnacle/backend-access';
import { versionLine } from '@binnacle/build-info';
import { type ApiClient, createApiClient, followClientConfiguration } from '@binnacle/client';
import { listen } from '@binnacle/connections';
import { readAccountFiles, runControllerManager } from '@binnacle/controller-manager';
import { unlessAborted } from '@binnacle/event-loop';
import {
  endIfValidating,
  parseServiceFlags,
  registerFeatureMetrics,
  settingName,
  settingsFrom,
} from '@binnacle/flags';
import {
  auditFromFlags,
  authorizerFilesFromFlags,
  clientAuthoritiesFromFlags,
  createGateway,
  type Gateway,
  issuerDiscoveryFromFlags,
  serviceAccountTokensFromFlags,
} from '@binnacle/gateway';
import {
  createStorageService,
  encryptionFromFlags,
  makeDataFolder,
  usingDataFolder,
} from '@binnacle/storage';
import {
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  silentLogger,
  watchEventLoop,
} from '@binnacle/telemetry';
import { loadTls, noteCertificates, type Pki } from '@binnacle/tls';
import { createTokenReview, readTokenOptions, registerHealthChecks } from '@binnacle/token-review';
import { type Tracing, tracingFromFlags } from '@binnacle/tracing';
import { createDirectFeed } from '@binnacle/watch-cache';
import { createWebhookDispatch } from '@binnacle/webhook-dispatch';
import { type StandaloneConfig, standaloneFlags } from './config.ts';
import {
  createClientConfiguration,
  createLocalPki,
  localUrl,
  writeAdminConfiguration,
} from './credentials.ts';

/** Options of the standalone form. Flags that are not given have their defaults; without a log nothing is logged. */
export interface StandaloneOptions extends Partial<StandaloneConfig> {
  readonly dataDir: string;
  readonly log?: Logger;
  /** Types beside the built-in ones. */
  readonly addedTypes?: AddedTypes;
  /** Ends a start that waits, such as for types that cannot be read. */
  readonly signal?: AbortSignal | undefined;
  /** Wraps the client of the controllers, for faults in tests. */
  readonly controllerClient?: (client: ApiClient) => ApiClient;
}

/** All services in this process, on embedded parts. */
export interface Standalone extends AsyncDisposable {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** Client configuration of an administrator. */
  readonly adminConfiguration: string;
  readonly pki: Pki;
  readonly gateway: Gateway;
  /** The most milliseconds of a stop: the configured delay and draining, and a margin. */
  readonly stopTimeoutMs: number;
}

/**
 * The holder of the controllers' lease, the same after every restart: the process with the data folder is the only one, and need not
 * wait for its own lease to expire.
 */
const leaderIdentity = 'standalone';
const leaderLeaseMs = 30_000;
const leaderRetryMs = 500;
/** Milliseconds of a stop besides the waits that the gateway's flags set. */
const startMs = 10_000;
const stopMarginMs = 30_000;

const noop = () => {};

/** Starts every service in this process and resolves once the API serves everything. */
export function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  return usingDataFolder(options.dataDir, {
    setting: settingName('dataDir'),
    work: () => startIn(resolve(options.dataDir), options),
  });
}

async function startIn(dataDirectory: string, options: StandaloneOptions): Promise<Standalone> {
  const config = settingsFrom(standaloneFlags, options);
  const log = options.log ?? silentLogger;
  const metrics = createMetrics();
  registerFeatureMetrics(metrics, config.featureGates);
  for (const warning of config.featureGates.warnings) log.warn(warning);
  await using stack = new AsyncDisposableStack();
  stack.use(watchEventLoop({ metrics, log, quietMs: startMs }));
  const tracing = await tracingFromFlags(config, { service: 'standalone', log, metrics });
  // The last part that ends: it exports the spans of all others.
  if (tracing !== undefined) stack.use(tracing);
  await makeDataFolder(dataDirectory, settingName('dataDir'));
  await assertPortFree(config);
  const encryption = await encryptionFromFlags(config, true);
  const keysMade = createLocalPki(dataDirectory, config.bindAddress);
  // They may fail before they are awaited. A start that fails meanwhile leaves nothing behind that still writes.
  const keysEnded = keysMade.then(noop, noop);
  stack.defer(() => keysEnded);
  const storage = stack.use(
    await createStorageService({
      backend: { kind: 'embedded', directory: join(dataDirectory, 'store') },
      historyWindow: config.historyWindow,
      ...(encryption && { encryption }),
      log: log.child({ service: 'storage' }),
      metrics,
      tracer: tracing?.tracer,
    }),
  );
  const pki = await keysMade;
  const files = stack.use(new FollowedFiles());
  files.start(config.tlsReloadInterval, log);
  stack.use(await writePidFile(dataDirectory));
  const gateway = await startGateway({
    addedTypes: options.addedTypes,
    config,
    files,
    pki,
    storage,
    log,
    metrics,
    tracing,
    stack,
  });
  // A large store may be searched for encrypted values still.
  await unlessAborted(Promise.race([gateway.ready(), storage.refused]), options.signal);
  const url = localUrl(config.bindAddress, gateway.port);
  const adminConfiguration = await writeAdminConfiguration(dataDirectory, pki, url);
  const { controllerClient = client => client } = options;
  await startControllers({ config, files, controllerClient, pki, url, log, metrics, stack });
  const running = stack.move();
  return {
    url,
    adminConfiguration,
    pki,
    gateway,
    stopTimeoutMs: config.shutdownDelayDuration + config.shutdownDrainDuration + stopMarginMs,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Starts the standalone form from the flags of a command line. */
export async function startFromFlags(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Standalone> {
  const config = parseServiceFlags(standaloneFlags, { argv, env, version: versionLine('standalone') });
  if (config.validateConfig) await readFiles(config);
  endIfValidating(config);
  const log = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    fields: { service: 'standalone' },
  });
  return startStandalone({ ...config, log, signal });
}

/** Refuses a port that is taken before anything is opened or written; the gateway takes it later. */
async function assertPortFree({ bindAddress: host, port }: StandaloneConfig): Promise<void> {
  const settings = { host: settingName('bindAddress'), port: settingName('port') };
  const server = createServer();
  await listen(server, { host, port, settings });
  server.close();
  await once(server, 'close');
}

/** Reads the files that flags name, and refuses what cannot be used. */
async function readFiles(config: StandaloneConfig): Promise<void> {
  await tracingFromFlags(config, { service: 'standalone', log: silentLogger, metrics: createMetrics() });
  checkPluginFlags(config);
  await encryptionFromFlags(config, true);
  await auditFromFlags(config);
  await authorizerFilesFromFlags(config);
  await clientAuthoritiesFromFlags(config);
  await serviceAccountTokensFromFlags(config);
  await issuerDiscoveryFromFlags(config);
  await readTokenOptions(config);
}

interface Parts {
  /** The files that can be exchanged while the process runs. */
  readonly files: FollowedFiles;
  readonly pki: Pki;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Collects the resources to dispose of. */
  readonly stack: AsyncDisposableStack;
}

interface GatewayParts extends Parts {
  readonly addedTypes: AddedTypes | undefined;
  readonly config: StandaloneConfig;
  readonly storage: Awaited<ReturnType<typeof createStorageService>>;
  readonly tracing: Tracing | undefined;
}

async function startGateway({
  addedTypes,
  config,
  files,
  pki,
  storage,
  log,
  metrics,
  tracing,
  stack,
}: GatewayParts): Promise<Gateway> {
  const createServiceLog = (service: string): Logger => log.child({ service });
  const dispatch = stack.use(createWebhookDispatch({ ...config, metrics }));
  const admission = stack.use(
    createAdmission({
      ...(addedTypes && { addedTypes }),
      storage: storage.storage,
      objects: { feed: createDirectFeed({ storage: storage.storage, log: createServiceLog('admission') }) },
      webhookDispatch: dispatch.service,
      plugins: config,
      files,
      log: createServiceLog('admission'),
      metrics,
    }),
  );
  const readTls = async () => {
    const read = await readServingTls(pki, config);
    noteCertificates(metrics, [
      { name: 'api', pem: read.cert },
      { name: 'client-authority', pem: read.clientCa },
      { name: 'proxy-authority', pem: read.proxyCa },
    ]);
    return read;
  };
  const tls = await readTls();
  const tokenFlags = { ...config, ...accountKeyFiles(config, pki) };
  const tokenReviewOptions = {
    ...(await readTokenOptions(tokenFlags, files))(storage.storage),
    secret: () => tls.key,
    log: createServiceLog('token-review'),
    metrics,
    clock: Date.now,
  };
  const tokenReview = stack.use(createTokenReview(tokenReviewOptions));
  const serviceAccountTokens = await serviceAccountTokensFromFlags(tokenFlags, files);
  const { serviceAccountKeyFile } = config;
  // The key of the server verifies tokens where no flag names a key, but is not published: nothing here signs tokens with it.
  const issuerDiscovery = await issuerDiscoveryFromFlags({ ...tokenFlags, serviceAccountKeyFile }, files);
  const gateway = stack.use(
    await createGateway({
      ...config,
      ...(serviceAccountTokens && { serviceAccountTokens }),
      authorizerFiles: await authorizerFilesFromFlags(config, files),
      ...(issuerDiscovery && { issuerDiscovery }),
      ...(addedTypes && { addedTypes }),
      audit: await auditFromFlags(config, files),
      securePort: config.port,
      portSetting: settingName('port'),
      tls,
      readTls,
      storage: storage.storage,
      ...(storage.currentRevision && { currentRevision: storage.currentRevision }),
      admission: admission.admission,
      tokenReview,
      webhookDispatch: dispatch.service,
      changeFeed: createDirectFeed({ storage: storage.storage, log: createServiceLog('gateway') }),
      tracer: tracing?.tracer,
      logger: createServiceLog('gateway'),
      metrics,
    }),
  );
  registerHealthChecks(gateway.health, { tokenReview, options: tokenReviewOptions });
  if (storage.checkKmsProviders !== undefined)
    gateway.health.add('kms-providers', storage.checkKmsProviders, { informative: true });
  return gateway;
}

/** Reads the TLS settings of the server; the local certificate authority stays trusted besides those that flags name. */
async function readServingTls(pki: Pki, config: StandaloneConfig) {
  const [{ key, cert }, { ca }, { clientCa, proxyCa }] = await Promise.all([
    loadTls(pki.serverDirectory),
    loadTls(pki.clientDirectory('admin')),
    clientAuthoritiesFromFlags(config),
  ]);
  return { cert, key, clientCa: clientCa === undefined ? ca : `${ca}\n${clientCa}`, proxyCa };
}

interface ControllerParts extends Parts {
  readonly config: StandaloneConfig;
  readonly controllerClient: (client: ApiClient) => ApiClient;
  readonly url: string;
}

async function startControllers({
  config,
  files,
  controllerClient,
  pki,
  url,
  log,
  metrics,
  stack,
}: ControllerParts): Promise<void> {
  const configuration = await followClientConfiguration(
    'certificate of the controllers',
    () => createClientConfiguration(pki, 'controller-manager', url),
    files,
  );
  const keyFiles = accountKeyFiles(config, pki);
  const accountFiles = await readAccountFiles({ ...config, ...keyFiles }, configuration, files);
  const client = stack.use(
    createApiClient({
      configuration,
      userAgent: 'controller-manager',
    }),
  );
  const stopping = new AbortController();
  const running = runControllerManager({
    ...config,
    accountFiles,
    client: controllerClient(client),
    log: log.child({ service: 'controller-manager' }),
    metrics,
    identity: leaderIdentity,
    leaderElectLeaseDuration: leaderLeaseMs,
    leaderElectRetryPeriod: leaderRetryMs,
    signal: stopping.signal,
  });
  running.catch(error => log.error('controllers failed', { error }));
  stack.defer(async () => {
    stopping.abort();
    await running.catch(() => {});
  });
}

/** The key files of service-account tokens, by flag. */
interface AccountKeyFiles {
  /** Files with the keys that verify tokens. */
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly serviceAccountPrivateKeyFile: string | undefined;
}

/**
 * Selects the key files that flags name, or those of the data folder. Without `--service-account-key-file` tokens are verified with the
 * local key and with the key of the server (spec 2, "Service account token"). Tokens of the local key are valid only while it is among
 * the verification keys.
 */
function accountKeyFiles(config: StandaloneConfig, pki: Pki): AccountKeyFiles {
  const { serviceAccountKeyFile: given } = config;
  const local = given.length > 0 ? undefined : pki.serviceAccountKeyFile;
  const signing = config.serviceAccountSigningKeyFile ?? local;
  return {
    serviceAccountKeyFile:
      given.length > 0 ? given : [pki.serviceAccountPublicKeyFile, join(pki.serverDirectory, 'tls.key')],
    serviceAccountSigningKeyFile: signing,
    serviceAccountPrivateKeyFile: config.serviceAccountPrivateKeyFile ?? signing,
  };
}

/** Writes the id of this process to `run/standalone-1.pid`, until it is disposed of. */
async function writePidFile(dataDirectory: string): Promise<AsyncDisposable> {
  const directory = join(dataDirectory, 'run');
  const file = join(directory, 'standalone-1.pid');
  await mkdir(directory, { recursive: true });
  await writeFile(file, `${process.pid}\n`);
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}
