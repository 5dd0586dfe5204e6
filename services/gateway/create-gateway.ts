import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AddedTypes,
  createLiveTypeRegistry,
  createTypeRegistry,
  type LiveTypeRegistry,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import { createLiveOpenApiDocuments } from '@binnacle/openapi';
import type { AdmissionService, TokenReviewService, WebhookDispatchService } from '@binnacle/proto';
import {
  closeServer,
  createConnectionMetrics,
  createHealth,
  createMetrics,
  type Health,
  type Logger,
  type Metrics,
  settingsFrom,
  silentLogger,
} from '@binnacle/service-kit';
import type { Storage } from '@binnacle/storage-contract';
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
import { clientAuthorities } from './bootstrap/client-authorities.ts';
import { clusterService } from './bootstrap/cluster-service.ts';
import { type Bootstrap, startBootstrap } from './bootstrap/start-bootstrap.ts';
import { createCustomDefinitions } from './custom-definitions/custom-definitions.ts';
import { createDiscoveryDocuments } from './discovery/documents.ts';
import { createIssuerDiscovery, type IssuerDiscovery } from './discovery/issuer-discovery.ts';
import type { IssuerDiscoveryOptions } from './discovery/issuer-documents.ts';
import { FlowControl, type FlowControlOptions } from './flow-control/flow-control.ts';
import { createFlowConfigController } from './flow-control/objects/flow-config-controller.ts';
import { registerHealthChecks } from './health/register-health-checks.ts';
import { behaviorOf, createAllocators } from './kinds/find-kind.ts';
import { forgetSeries } from './metrics/forget-series.ts';
import { createGatewayMetrics } from './metrics/gateway-metrics.ts';
import { createPipeline } from './pipeline/create-pipeline.ts';
import type { ServeServices } from './pipeline/serve.ts';
import { createProxying } from './proxy/create-proxying.ts';
import { createConsistentReads } from './read/consistent-read.ts';
import { createServer, type ServingTls } from './server/create-server.ts';
import { fitDescriptors } from './server/fit-descriptors.ts';
import { followCertificates } from './server/follow-certificates.ts';
import { createHttp2Metrics } from './server/http2/http2-metrics.ts';
import { listen } from './server/listen.ts';
import { settingFlags } from './settings/gateway-flags.ts';
import type { GatewaySettings } from './settings/gateway-settings.ts';
import { versionInfo } from './settings/version.ts';
import { createTokenIssuer, type TokenIssuerOptions } from './subresources/token-issuer.ts';
import { createConversionMetrics } from './versions/conversion-metrics.ts';
import { createWebhookAddresses } from './versions/webhook-addresses.ts';
import { createWebhookConversions } from './versions/webhook-conversions.ts';
import { CredentialChecks } from './watch/credential-checks.ts';
import { WatchFormats } from './watch/watch-formats.ts';
import { KeyLocks } from './write/engine/key-locks.ts';

/** What a gateway is built from: settings, and the services that it calls. */
export interface GatewayOptions extends Partial<GatewaySettings> {
  readonly storage: Storage;
  readonly admission: AdmissionService;
  readonly tokenReview: TokenReviewService;
  /** What conversion webhooks are called through; undefined: conversions by webhooks fail. */
  readonly webhookDispatch?: WebhookDispatchService;
  /** The `host:port` of the services and brokers behind this gateway; proxies lead to none of them. */
  readonly backendHosts?: readonly string[];
  /** Types beside the built-in ones. */
  readonly addedTypes?: AddedTypes;
  readonly changeFeed: ChangeFeed;
  /** Undefined: nothing is audited. */
  readonly audit?: AuditOptions | undefined;
  /** What service-account tokens are signed with; undefined: none are issued. */
  readonly serviceAccountTokens?: TokenIssuerOptions;
  /** What the authorizers of the chosen modes work with. */
  readonly authorizerFiles?: AuthorizerFiles;
  /** What is told of the issuer of service-account tokens; undefined: nothing. */
  readonly issuerDiscovery?: IssuerDiscoveryOptions;
  /** False: plain HTTP, behind a load balancer that ends TLS; client certificates then mean nothing. */
  readonly tls: ServingTls | false;
  /** Reads the certificates anew, for those that change while the server runs; undefined: they do not. */
  readonly readTls?: () => Promise<ServingTls | false>;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** 0 to 1. */
  readonly random?: () => number;
}

/** A gateway that listens. */
export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** Resolves once it serves everything: defaults written, types listed, roles loaded. */
  ready(): Promise<void>;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Stops gracefully: says that it is not ready, ends watches with a bookmark, finishes what is under way. */
  stop(): Promise<void>;
}

/** Shortest time that audit events have for their delivery at the stop, in ms. */
const leastFlushMs = 1_000;

/** Starts a gateway; resolves as soon as it listens, which does not wait for the services behind it. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const parts = createParts(options);
  const { settings, services, gatewayMetrics, logger, clock } = parts;
  const state = { stopping: false };
  const serving: Serving = { tls: options.tls };
  const audit = auditFor(options, parts);
  const { server, guard } = createServer({
    tls: options.tls === false ? undefined : options.tls,
    handle: createPipeline({
      settings,
      authorizer: services.authorizer,
      tokenReview: options.tokenReview,
      authorities: () => authoritiesIn(serving),
      services,
      metrics: gatewayMetrics,
      logger,
      flowControl: services.flowControl,
      audit,
    }),
    isStopping: () => state.stopping,
    requestTimeout: settings.requestTimeout,
    connections: fitDescriptors(settings, logger),
    connectionMetrics: createConnectionMetrics(services.processMetrics, 'api'),
    http2Metrics: createHttp2Metrics(services.processMetrics),
    metrics: gatewayMetrics,
    clock,
  });
  const port = await listen(server, settings.securePort, settings.bindAddress);
  services.issuerDiscovery.publish(serverAddressOf(settings, port));
  const following = followTls(server, { ...options, serving }, parts);
  const started = start(parts, { port, serving });
  const stopOnce = once(async () => {
    services.health.startShutdown();
    await pause(settings.shutdownDelayDuration / 2);
    // Balancers have turned away by now. Clients that reconnect get another gateway, so that few connections are left to
    // be closed between two requests, when the next one may be on its way.
    state.stopping = true;
    await pause(settings.shutdownDelayDuration / 2);
    following?.[Symbol.dispose]();
    const drainsUntil = performance.now() + settings.shutdownDrainDuration;
    const closed = closeServer(server, guard, settings.shutdownDrainDuration);
    await services.watchCache.drain(settings.shutdownDrainDuration / 2);
    await closed;
    // What is drained ends no later than its credential either.
    services.credentialChecks[Symbol.dispose]();
    started.bootstrap[Symbol.dispose]();
    services.customDefinitions[Symbol.dispose]();
    await parts.authorization[Symbol.asyncDispose]();
    started.flowConfig[Symbol.dispose]();
    services.flowControl?.[Symbol.dispose]();
    await services.watchCache[Symbol.asyncDispose]();
    await audit?.close(Math.max(leastFlushMs, drainsUntil - performance.now()));
  });
  return {
    port,
    ready: () => started.ready,
    health: services.health,
    metrics: services.processMetrics,
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
}

function auditFor(options: GatewayOptions, { services, logger, clock }: Parts): Audit | undefined {
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

/** What is served at the moment. */
interface Serving {
  tls: ServingTls | false;
}

const noAuthorities: ClientAuthorities = {};

function authoritiesIn({ tls }: Serving): ClientAuthorities {
  return tls === false ? noAuthorities : tls;
}

function followTls(
  server: Server,
  { tls, readTls, serving }: GatewayOptions & { readonly serving: Serving },
  parts: Parts,
): Disposable | undefined {
  const everyMs = parts.settings.tlsReloadInterval;
  if (tls === false || readTls === undefined || everyMs === 0) return undefined;
  const read = async () => {
    const found = await readTls();
    if (found === false) throw new Error('there are no certificates any more');
    return found;
  };
  const onTaken = (taken: ServingTls) => {
    serving.tls = taken;
  };
  return followCertificates(server, { current: tls, read, everyMs, onTaken }, parts.logger);
}

interface Parts {
  readonly settings: GatewaySettings;
  readonly changeFeed: ChangeFeed;
  readonly services: ServeServices;
  readonly authorization: Authorization;
  readonly gatewayMetrics: ReturnType<typeof createGatewayMetrics>;
  readonly logger: Logger;
  readonly clock: () => number;
}

function createParts(options: GatewayOptions): Parts {
  const settings = settingsFrom(settingFlags, options);
  const { logger = silentLogger, clock = Date.now, random = Math.random, storage, admission } = options;
  const registry = createLiveTypeRegistry(
    createTypeRegistry({
      runtimeConfig: settings.runtimeConfig,
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
  });
  const authorized = { settings, registry, watchCache, metrics: processMetrics, logger };
  const authorization = authorizationFor(options, authorized);
  const consistentReads = createConsistentReads({ storage });
  const conversions = createWebhookConversions({
    dispatch: options.webhookDispatch,
    addressOf: createWebhookAddresses(registry, watchCache),
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
    storage,
    admission,
    watchCache,
    authorizer: authorization.authorizer,
    tokenReview: options.tokenReview,
    tokenIssuer: options.serviceAccountTokens && createTokenIssuer(options.serviceAccountTokens),
    conversions,
    clock,
    writeLocks: new KeyLocks(),
    guardOf: definition => behaviorOf(definition).guard,
    allocators: createAllocators({ settings, registry, watchCache, consistentReads, random }),
    random,
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
    openApi: openApiFor(registry, settings),
    health: createHealth({
      onFailure: (name, error) => logger.debug('health check failed', { name, error }),
    }),
    processMetrics,
    flowControl: flowControlFor(settings, { registry, watchCache, metrics: processMetrics }),
  };
  return { settings, changeFeed: options.changeFeed, services, authorization, gatewayMetrics, logger, clock };
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

function openApiFor(types: LiveTypeRegistry, settings: GatewaySettings) {
  const { kubernetesClientCompatibility, listAliasGroups } = settings;
  return createLiveOpenApiDocuments(types, {
    kubernetesClientCompatibility,
    aliasGroups: kubernetesClientCompatibility && listAliasGroups,
    serverVersion: versionInfo.gitVersion,
  });
}

/** The host and port by which clients find the server; a server at all addresses is found by its name. */
function serverAddressOf({ bindAddress }: GatewaySettings, port: number): string {
  const host = bindAddress === '0.0.0.0' || bindAddress === '::' ? hostname() : bindAddress;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function documentsFor(registry: TypeRegistry, settings: GatewaySettings, issuer: IssuerDiscovery) {
  const serverAddress = settings.securePort === 0 ? '' : `${settings.bindAddress}:${settings.securePort}`;
  const { kubernetesClientCompatibility: found, listAliasGroups, featureGates } = settings;
  const aliases = found ? (listAliasGroups ? 'listed' : 'found') : 'unknown';
  const aggregated = featureGates.isEnabled('AggregatedDiscoveryEndpoint');
  const openApiV3 = featureGates.isEnabled('OpenAPIV3');
  const morePaths = () => issuer.documents().keys();
  return createDiscoveryDocuments({ registry, aliases, serverAddress, aggregated, openApiV3, morePaths });
}

function start(
  parts: Parts,
  { port, serving }: { readonly port: number; readonly serving: Serving },
): { bootstrap: Bootstrap; flowConfig: Disposable; ready: Promise<void> } {
  const { services, authorization, logger, clock } = parts;
  const { registry, storage, watchCache, health } = services;
  const added = clusterService(parts.settings, port);
  const changing = () =>
    clientAuthorities({ authorities: authoritiesIn(serving), proxies: parts.settings }, clock());
  const bootstrap = startBootstrap({ registry, storage, logger, clock, added, changing });
  const flowConfig = createFlowConfigController({ ...services, logger });
  const loadRoles = async (cache: WatchCache): Promise<void> => {
    await cache.ready();
    await authorization.start();
    flowConfig.start();
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
    clock,
  });
  return { bootstrap, flowConfig, ready: Promise.all([bootstrap.done, rolesLoaded]).then(() => {}) };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
