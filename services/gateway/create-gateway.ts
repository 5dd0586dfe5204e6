import type { Server } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Admission } from '@binnacle/admission-contract';
import {
  type AddedTypes,
  createLiveTypeRegistry,
  createTypeRegistry,
  type LiveTypeRegistry,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import { versionInfo } from '@binnacle/build-info';
import { type ConnectionGuard, closeServer, createConnectionMetrics, listen } from '@binnacle/connections';
import { settingName, settingsFrom } from '@binnacle/flags';
import { createLiveOpenApiDocuments } from '@binnacle/openapi';
import type { TokenReviewService, Tracer, WebhookDispatchService } from '@binnacle/proto';
import { createHealth, type Health } from '@binnacle/service-kit';
import type { Storage } from '@binnacle/storage-contract';
import { createMetrics, type Logger, type Metrics, silentLogger } from '@binnacle/telemetry';
import { type ChangeFeed, createWatchCache, type WatchCache } from '@binnacle/watch-cache';
import { Audit } from './audit/audit.ts';
import type { AuditOptions } from './audit/audit-options.ts';
import type { ClientAuthorities } from './authentication/client-certificate.ts';
import {
  type Authorization,
  type AuthorizationOptions,
  type AuthorizerFiles,
  createAuthorization,
} from './authorization/modes/create-authorization.ts';
import { advertisedAddress } from './bootstrap/advertised-address.ts';
import { clientAuthorities } from './bootstrap/client-authorities.ts';
import { clusterService } from './bootstrap/cluster-service.ts';
import { startIdentityLease } from './bootstrap/identity-lease.ts';
import { keepApiServices } from './bootstrap/keep-api-services.ts';
import { type KeptEndpoints, keepEndpoints } from './bootstrap/keep-endpoints.ts';
import { seenRevisions } from './bootstrap/seen-revisions.ts';
import { type Bootstrap, startBootstrap } from './bootstrap/start-bootstrap.ts';
import { createDiscoveryDocuments } from './documents/discovery-documents.ts';
import {
  createIssuerDiscovery,
  type IssuerDiscovery,
  type IssuerDiscoveryOptions,
} from './documents/issuer-documents.ts';
import { FlowControl, type FlowControlOptions } from './flow-control/flow-control.ts';
import { createFlowConfigController } from './flow-control/objects/flow-config-controller.ts';
import { createAllocators, findKindBehavior } from './kinds/find-kind.ts';
import { createGatewayMetrics, forgetSeries } from './metrics/gateway-metrics.ts';
import { createPipeline } from './pipeline/create-pipeline.ts';
import type { ServeServices } from './pipeline/serve.ts';
import { createProxying } from './proxy/create-proxying.ts';
import { type CurrentRevision, createConsistentReads } from './read/consistent-read.ts';
import { createCustomDefinitions } from './read/custom-definitions.ts';
import { createServer } from './server/create-server.ts';
import { fitDescriptors } from './server/fit-descriptors.ts';
import { createFollowedTls, type FollowedTls } from './server/followed-tls.ts';
import { createHttp2Metrics } from './server/http2/http2-metrics.ts';
import { registerHealthChecks } from './server/register-health-checks.ts';
import type { ServingTls } from './server/secure-context-options.ts';
import { settingFlags } from './settings/gateway-flags.ts';
import type { GatewaySettings } from './settings/gateway-settings.ts';
import { createTokenIssuer, type TokenIssuerOptions } from './subresources/token-issuer.ts';
import { createConversionMetrics, createWebhookAddresses } from './versions/conversion-calls.ts';
import { createWebhookConversions } from './versions/webhook-conversions.ts';
import { CredentialChecks } from './watch/credential-checks.ts';
import { WatchFormats } from './watch/watch-formats.ts';
import { KeyLocks } from './write/engine/write-locks.ts';

/** Options of a gateway: settings, and the services that it calls. */
export interface GatewayOptions extends Partial<GatewaySettings> {
  readonly storage: Storage;
  /**
   * Returns the current revision without a promise, where the store is in this process. Where it is undefined, or
   * returns undefined, `storage.typeRevision` is called.
   */
  readonly currentRevision?: CurrentRevision;
  readonly admission: Admission;
  readonly tokenReview: TokenReviewService;
  /** The service that calls conversion webhooks; undefined: conversions by webhooks fail. */
  readonly webhookDispatch?: WebhookDispatchService;
  /** The `host:port` of the services and brokers behind this gateway; proxied requests to them are refused. */
  readonly backendHosts?: readonly string[];
  /** Types beside the built-in ones. */
  readonly addedTypes?: AddedTypes;
  readonly changeFeed: ChangeFeed;
  /** Undefined: nothing is audited. */
  readonly audit?: AuditOptions | undefined;
  /** The issuer of service-account tokens; undefined: none are issued. */
  readonly serviceAccountTokens?: TokenIssuerOptions;
  /** The files of the authorizers of the chosen modes. */
  readonly authorizerFiles?: AuthorizerFiles;
  /** The documents about the issuer of service-account tokens; undefined: none. */
  readonly issuerDiscovery?: IssuerDiscoveryOptions;
  /** False: plain HTTP, behind a load balancer that terminates TLS; client certificates are then ignored. */
  readonly tls: ServingTls | false;
  /** Reads the certificates again; undefined: they do not change while the server runs. */
  readonly readTls?: () => Promise<ServingTls | false>;
  /** The setting of the port, as a message names it; default: `--secure-port`. */
  readonly portSetting?: string;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Undefined: nothing is traced. */
  readonly tracer?: Tracer | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Returns a number from 0 to 1. */
  readonly random?: () => number;
}

/** A gateway that listens. */
export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** Resolves once it serves everything: defaults written, types listed, roles loaded. */
  ready(): Promise<void>;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Stops gracefully: reports not ready, ends watches with a bookmark, finishes the requests under way. */
  stop(): Promise<void>;
}

/** Starts a gateway; resolves as soon as it listens, which does not wait for the services behind it. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const parts = createParts(options);
  const { settings, services, logger } = parts;
  const advertised = findAdvertisedAddress(options, parts);
  const state = { stopping: false };
  const tls = createFollowedTls(options);
  const audit = auditFor(options, parts);
  const { server, guard } = createGatewayServer(options, parts, {
    audit,
    tls,
    isStopping: () => state.stopping,
  });
  const port = await listen(server, {
    host: settings.bindAddress,
    port: settings.securePort,
    settings: { host: settingName('bindAddress'), port: options.portSetting ?? settingName('securePort') },
  });
  services.issuerDiscovery.publish(findServerAddress(settings, port));
  const following = tls.follow(server, settings.tlsReloadInterval, logger);
  const started = startParts(parts, {
    port,
    advertisedAddress: advertised,
    authorities: tls.authorities,
  });
  const onStopping = () => {
    state.stopping = true;
  };
  const running = { parts, started, server, guard, following, audit, onStopping };
  const stopOnce = once(() => stopGateway(running));
  return {
    port,
    ready: () => started.ready,
    health: services.health,
    metrics: services.processMetrics,
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
}

/** The parts of a gateway: built from its options, and not yet started. */
interface GatewayParts {
  readonly settings: GatewaySettings;
  readonly changeFeed: ChangeFeed;
  readonly services: ServeServices;
  readonly authorization: Authorization;
  readonly gatewayMetrics: ReturnType<typeof createGatewayMetrics>;
  readonly logger: Logger;
  readonly clock: () => number;
}

/** Builds the parts, in the order in which they need each other; nothing listens or calls other services yet. */
function createParts(options: GatewayOptions): GatewayParts {
  const settings = settingsFrom(settingFlags, options);
  const { logger = silentLogger, clock = Date.now, random = Math.random, storage, admission } = options;
  const registry = createLiveTypeRegistry(
    createTypeRegistry({
      runtimeConfig: settings.runtimeConfig,
      gates: settings.featureGates,
      ...(options.addedTypes && { added: options.addedTypes }),
    }),
  );
  const processMetrics = options.metrics ?? createMetrics();
  const gatewayMetrics = createGatewayMetrics(processMetrics, registry);
  const watchCache = createWatchCache({
    definitions: storedDefinitions(registry),
    storage,
    feed: options.changeFeed,
    limits: settings,
    log: logger.child({ component: 'watch-cache' }),
    metrics: gatewayMetrics.watchCache,
    tracer: options.tracer,
  });
  const authorized = { settings, registry, watchCache, metrics: processMetrics, logger };
  const authorization = authorizationFor(options, authorized);
  const consistentReads = createConsistentReads(options);
  const conversions = createWebhookConversions({
    dispatch: options.webhookDispatch,
    findAddress: createWebhookAddresses(registry, watchCache),
    ...createConversionMetrics(processMetrics),
    clock,
  });
  const issuerDiscovery = createIssuerDiscovery(options.issuerDiscovery, logger);
  const services: ServeServices = {
    registry,
    customDefinitions: createCustomDefinitions({
      registry,
      watchCache,
      consistentReads,
      logger,
      onGone: type => forgetSeries(processMetrics, registry, type),
    }),
    ...{ storage, admission, watchCache, clock, random },
    authorizer: authorization.authorizer,
    tokenReview: options.tokenReview,
    tokenIssuer: options.serviceAccountTokens && createTokenIssuer(options.serviceAccountTokens),
    conversions,
    writeLocks: new KeyLocks(),
    guardOf: definition => findKindBehavior(definition).guard,
    allocators: createAllocators({ settings, registry, watchCache, consistentReads, random }),
    metrics: gatewayMetrics,
    remainingItemCount: settings.featureGates.isEnabled('RemainingItemCount'),
    openApiV3: settings.featureGates.isEnabled('OpenAPIV3'),
    consistentReads,
    formats: new WatchFormats({
      clock,
      conversions,
      kubernetesClientCompatibility: settings.kubernetesClientCompatibility,
    }),
    settings,
    credentialChecks: new CredentialChecks({
      tokenReview: options.tokenReview,
      everyMs: settings.watchCredentialCheckInterval,
      logger,
      clock,
      random,
    }),
    proxying: createProxying(settings, options.backendHosts ?? []),
    documents: documentsFor(registry, settings, issuerDiscovery),
    issuerDiscovery,
    openApi: openApiFor(registry, settings, options.issuerDiscovery !== undefined),
    health: createHealth({
      onFailure: (name, error) => logger.debug('health check failed', { name, error }),
    }),
    processMetrics,
    flowControl: flowControlFor(settings, { registry, watchCache, metrics: processMetrics }),
  };
  return { settings, changeFeed: options.changeFeed, services, authorization, gatewayMetrics, logger, clock };
}

/** The addresses that are known once the server listens. */
interface Listening {
  readonly port: number;
  /** The address for the Endpoints of the API's service; undefined: this server is not among them. */
  readonly advertisedAddress: string | undefined;
  /** The authorities of client certificates at the moment. */
  readonly authorities: () => ClientAuthorities;
}

/** The parts that run beside the server. */
interface StartedParts {
  readonly bootstrap: Bootstrap;
  readonly flowConfig: Disposable;
  /** The APIServices of custom definitions. */
  readonly apiServices: Disposable;
  /** Undefined: this server is not among the Endpoints. */
  readonly endpoints: KeptEndpoints | undefined;
  /** The identity lease of this server; undefined: it has none. */
  readonly identity: Disposable | undefined;
  /** Resolves once everything is served. */
  readonly ready: Promise<void>;
}

/** Starts the parts that run beside the server, in this order, and registers the health checks; does not wait for other services. */
function startParts(parts: GatewayParts, { port, advertisedAddress, authorities }: Listening): StartedParts {
  const { services, authorization, logger, clock } = parts;
  const { registry, storage, watchCache, health } = services;
  const added = clusterService(parts.settings, port);
  const changing = () => clientAuthorities({ authorities: authorities(), proxies: parts.settings }, clock());
  const seenRevision = seenRevisions(registry, watchCache);
  const keeping = { added, changing, seenRevision };
  const bootstrap = startBootstrap({ registry, storage, logger, clock, ...keeping });
  const flowConfig = createFlowConfigController({ ...services, logger });
  const apiServices = keepApiServices({ ...services, builtIn: registry.builtIn, logger });
  const loadRoles = async (cache: WatchCache): Promise<void> => {
    await cache.ready();
    await authorization.start();
    flowConfig.start();
    apiServices.start();
    await services.customDefinitions.start();
  };
  const rolesLoaded = loadRoles(watchCache);
  // Callers that wait for `ready` get the error; no other code needs it.
  rolesLoaded.catch(() => {});
  registerHealthChecks(health, {
    storage,
    watchCache,
    changeFeed: parts.changeFeed,
    bootstrap,
    rolesAreLoaded: () => authorization.isStarted && services.customDefinitions.isStarted,
    assertWebhookWorks: authorization.assertWebhookWorks,
    livezGracePeriod: parts.settings.livezGracePeriod,
    clock: () => performance.now(),
  });
  const ready = Promise.all([bootstrap.done, rolesLoaded]).then(() => {});
  const own = advertisedAddress === undefined ? undefined : { address: advertisedAddress, port };
  const endpoints = own && keepEndpoints({ registry, storage, clock, logger, own, ready });
  const identity = parts.settings.featureGates.isEnabled('APIServerIdentity')
    ? startIdentityLease({ registry, storage, clock, logger, hostname: hostname(), port, ready })
    : undefined;
  return { bootstrap, flowConfig, apiServices, endpoints, identity, ready };
}

/** A running gateway, with the parts that its stop ends. */
interface RunningGateway {
  readonly parts: GatewayParts;
  readonly started: StartedParts;
  readonly server: Server;
  readonly guard: ConnectionGuard;
  /** Undefined: certificates are not followed. */
  readonly following: Disposable | undefined;
  readonly audit: Audit | undefined;
  /** Called at the stop: from then on answers tell clients to reconnect. */
  readonly onStopping: () => void;
}

/** Shortest time that audit events have for their delivery at the stop, in ms. */
const leastFlushMs = 1_000;

/**
 * Stops a gateway: reports not ready to load balancers, drains connections and watches, then ends its parts, in this
 * order.
 */
async function stopGateway(running: RunningGateway): Promise<void> {
  const { parts, started, server, guard, following, audit } = running;
  const { settings, services, authorization } = parts;
  services.health.startShutdown();
  const left = started.endpoints?.leave();
  await pause(settings.shutdownDelayDuration / 2);
  // Load balancers send nothing more to this gateway by now. Clients that reconnect get another one, so that few
  // connections are left to be closed between two requests, when the next one may be on its way.
  running.onStopping();
  await pause(settings.shutdownDelayDuration / 2);
  following?.[Symbol.dispose]();
  const drainsUntil = performance.now() + settings.shutdownDrainDuration;
  const closed = closeServer(server, guard, settings.shutdownDrainDuration);
  // Requests without a seat by then may get none, and their connections would close without an answer.
  const refusal = setTimeout(
    () => services.flowControl?.levels.refuseWaiting(),
    settings.shutdownDrainDuration / 2,
  );
  await services.watchCache.drain(settings.shutdownDrainDuration / 2);
  await closed;
  clearTimeout(refusal);
  // Requests that are drained end no later than their credentials either.
  services.credentialChecks[Symbol.dispose]();
  started.bootstrap[Symbol.dispose]();
  started.apiServices[Symbol.dispose]();
  started.identity?.[Symbol.dispose]();
  services.customDefinitions[Symbol.dispose]();
  await authorization[Symbol.asyncDispose]();
  await left;
  started.flowConfig[Symbol.dispose]();
  services.flowControl?.[Symbol.dispose]();
  await services.watchCache[Symbol.asyncDispose]();
  await audit?.close(Math.max(leastFlushMs, drainsUntil - performance.now()));
}

function authorizationFor(
  { authorizerFiles: files, clock = Date.now, random = Math.random }: GatewayOptions,
  sources: Omit<AuthorizationOptions, 'files' | 'clock' | 'random'>,
): Authorization {
  return createAuthorization({ ...sources, files, clock, random });
}

/** Each stored type once, in the form that is stored, which need not be served. */
function storedDefinitions(registry: TypeRegistry): ResourceDefinition[] {
  const stored = registry.resources.filter(definition => definition.stored);
  return [...new Set(stored.map(definition => definition.storage ?? definition))];
}

function flowControlFor(
  settings: GatewaySettings,
  sources: Pick<FlowControlOptions, 'registry' | 'watchCache' | 'metrics'>,
): FlowControl | undefined {
  const { enablePriorityAndFairness, featureGates } = settings;
  if (!enablePriorityAndFairness || !featureGates.isEnabled('APIPriorityAndFairness')) return undefined;
  const { maxRequestsInflight: reads, maxMutatingRequestsInflight: writes } = settings;
  return new FlowControl({
    ...settings,
    ...sources,
    serverSeats: reads === 0 || writes === 0 ? 0 : reads + writes,
  });
}

function openApiFor(types: LiveTypeRegistry, settings: GatewaySettings, issuerDiscovery: boolean) {
  const { kubernetesClientCompatibility, listAliasGroups, featureGates } = settings;
  return createLiveOpenApiDocuments(types, {
    kubernetesClientCompatibility,
    aliasGroups: kubernetesClientCompatibility && listAliasGroups,
    issuerDiscovery,
    enumerations: featureGates.isEnabled('OpenAPIEnums'),
    serverVersion: versionInfo().gitVersion,
  });
}

function documentsFor(registry: TypeRegistry, settings: GatewaySettings, issuer: IssuerDiscovery) {
  const serverAddress = settings.securePort === 0 ? '' : `${settings.bindAddress}:${settings.securePort}`;
  const { kubernetesClientCompatibility: found, listAliasGroups, featureGates } = settings;
  const aliases = found ? (listAliasGroups ? 'listed' : 'found') : 'unknown';
  const aggregated = featureGates.isEnabled('AggregatedDiscoveryEndpoint');
  const openApiV3 = featureGates.isEnabled('OpenAPIV3');
  const morePaths = () => issuer.documents().keys();
  const storageVersionHash = featureGates.isEnabled('StorageVersionHash');
  return createDiscoveryDocuments({
    ...{ registry, aliases, serverAddress, aggregated, openApiV3, storageVersionHash, morePaths },
  });
}

/** The parts of the server besides those of the gateway. */
interface ServerParts {
  readonly audit: Audit | undefined;
  readonly tls: FollowedTls;
  readonly isStopping: () => boolean;
}

function createGatewayServer(
  options: GatewayOptions,
  parts: GatewayParts,
  { audit, tls, isStopping }: ServerParts,
) {
  const { settings, services, gatewayMetrics, logger, clock } = parts;
  return createServer({
    tls: options.tls === false ? undefined : options.tls,
    handle: createPipeline({
      settings,
      authorities: tls.authorities,
      services,
      metrics: gatewayMetrics,
      logger,
      audit,
      tracer: options.tracer,
    }),
    isStopping,
    requestTimeout: settings.requestTimeout,
    connections: fitDescriptors(settings, logger),
    connectionMetrics: createConnectionMetrics(services.processMetrics, 'api'),
    http2Metrics: createHttp2Metrics(services.processMetrics),
    metrics: gatewayMetrics,
    clock,
    random: services.random,
  });
}

function auditFor(options: GatewayOptions, { services, logger, clock }: GatewayParts): Audit | undefined {
  if (options.audit === undefined) return undefined;
  return new Audit(options.audit, {
    metrics: services.processMetrics,
    logger,
    clock,
    now: () => performance.now(),
    random: services.random,
    standardOutput: process.stdout,
  });
}

/** The address for the Endpoints of the API's service. */
function findAdvertisedAddress(
  { tls }: GatewayOptions,
  { settings, logger }: GatewayParts,
): string | undefined {
  const reach = { servesTls: tls !== false, interfaces: networkInterfaces() };
  const address = advertisedAddress(settings, reach);
  const { bindAddress, endpointReconcilerType } = settings;
  if (address === undefined && endpointReconcilerType !== 'none')
    logger.info('this server is not in the endpoints of its service: it has no address to advertise', {
      bindAddress,
    });
  return address;
}

/** The host and port by which clients find the server; a server at all addresses is found by its name. */
function findServerAddress({ bindAddress }: GatewaySettings, port: number): string {
  const host = bindAddress === '0.0.0.0' || bindAddress === '::' ? hostname() : bindAddress;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
