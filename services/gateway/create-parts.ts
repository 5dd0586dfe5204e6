import {
  createLiveTypeRegistry,
  createTypeRegistry,
  type LiveTypeRegistry,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import { createLiveOpenApiDocuments } from '@binnacle/openapi';
import { createHealth, createMetrics, type Logger, settingsFrom, silentLogger } from '@binnacle/service-kit';
import { type ChangeFeed, createWatchCache } from '@binnacle/watch-cache';
import {
  type Authorization,
  type AuthorizationOptions,
  createAuthorization,
} from './authorization/modes/create-authorization.ts';
import { createCustomDefinitions } from './custom-definitions/custom-definitions.ts';
import { createDiscoveryDocuments } from './discovery/documents.ts';
import { createIssuerDiscovery, type IssuerDiscovery } from './discovery/issuer-discovery.ts';
import { FlowControl, type FlowControlOptions } from './flow-control/flow-control.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { behaviorOf, createAllocators } from './kinds/find-kind.ts';
import { forgetSeries } from './metrics/forget-series.ts';
import { createGatewayMetrics } from './metrics/gateway-metrics.ts';
import type { ServeServices } from './pipeline/serve.ts';
import { createProxying } from './proxy/create-proxying.ts';
import { createConsistentReads } from './read/consistent-read.ts';
import { settingFlags } from './settings/gateway-flags.ts';
import type { GatewaySettings } from './settings/gateway-settings.ts';
import { versionInfo } from './settings/version.ts';
import { createTokenIssuer } from './subresources/token-issuer.ts';
import { createConversionMetrics } from './versions/conversion-metrics.ts';
import { createWebhookAddresses } from './versions/webhook-addresses.ts';
import { createWebhookConversions } from './versions/webhook-conversions.ts';
import { CredentialChecks } from './watch/credential-checks.ts';
import { WatchFormats } from './watch/watch-formats.ts';
import { KeyLocks } from './write/engine/write-locks.ts';

/** The parts of a gateway: built from its options, and not yet started. */
export interface GatewayParts {
  readonly settings: GatewaySettings;
  readonly changeFeed: ChangeFeed;
  readonly services: ServeServices;
  readonly authorization: Authorization;
  readonly gatewayMetrics: ReturnType<typeof createGatewayMetrics>;
  readonly logger: Logger;
  readonly clock: () => number;
}

/** Builds the parts; nothing listens or calls other services yet. */
export function createParts(options: GatewayOptions): GatewayParts {
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
  });
  const authorized = { settings, registry, watchCache, metrics: processMetrics, logger };
  const authorization = authorizationFor(options, authorized);
  const consistentReads = createConsistentReads(options);
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
    openApi: openApiFor(registry, settings, options.issuerDiscovery !== undefined),
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

function openApiFor(types: LiveTypeRegistry, settings: GatewaySettings, issuerDiscovery: boolean) {
  const { kubernetesClientCompatibility, listAliasGroups, featureGates } = settings;
  return createLiveOpenApiDocuments(types, {
    kubernetesClientCompatibility,
    aliasGroups: kubernetesClientCompatibility && listAliasGroups,
    issuerDiscovery,
    enumerations: featureGates.isEnabled('OpenAPIEnums'),
    serverVersion: versionInfo.gitVersion,
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
