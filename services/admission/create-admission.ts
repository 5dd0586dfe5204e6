import { type Admission, servedAdmission } from '@binnacle/admission-contract';
import { groups } from '@binnacle/api-names';
import {
  type AddedTypes,
  createLiveTypeRegistry,
  createTypeRegistry,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import { settingsFrom } from '@binnacle/flags';
import type { AdmissionService, WebhookDispatchService } from '@binnacle/proto';
import type { Storage } from '@binnacle/storage-contract';
import { type Logger, type Metrics, silentLogger } from '@binnacle/telemetry';
import { type ChangeFeed, createWatchCache, type WatchCache } from '@binnacle/watch-cache';
import { createAdmissionChain } from './chain/admission-chain.ts';
import { readAdmissionConfiguration } from './chain/admission-configuration.ts';
import { createAdmissionMetrics } from './chain/admission-metrics.ts';
import { type PluginOptions, pluginOptionFlags } from './chain/plugin-flags.ts';
import type { PluginRegistration } from './chain/plugin-registration.ts';
import { selectPlugins } from './chain/plugin-selection.ts';
import { pluginSettingsFrom } from './chain/plugin-settings.ts';
import { createCustomTypes } from './handlers/custom-types.ts';
import { createReviews } from './handlers/review.ts';
import { registeredPlugins } from './plugins/registered-plugins.ts';
import { createNamespaceSource } from './sources/namespaces.ts';
import { createObjectSource, type TypeName } from './sources/objects.ts';

/** Where admission reads objects from: a cache that the caller owns, or a feed to build one on. */
type AdmissionObjects =
  /** Must hold namespaces, custom resource definitions, and what the plugins say that they read. */
  { readonly watchCache: WatchCache } | { readonly feed: ChangeFeed };

/** Options of admission. */
interface AdmissionOptions {
  readonly storage: Storage;
  readonly objects: AdmissionObjects;
  readonly webhookDispatch: WebhookDispatchService;
  /** Types beside the built-in ones, of which it has all: what of them is served is the gateway's affair. */
  readonly addedTypes?: AddedTypes;
  /** Which plugins run, and what they are told; default: what the flags say when they are not given. */
  readonly plugins?: Partial<PluginOptions>;
  readonly log?: Logger;
  readonly metrics?: Metrics;
}

/** Admission as it runs, and what it holds. */
interface RunningAdmission extends AsyncDisposable {
  /** For a gateway in this process. */
  readonly admission: Admission;
  /** For gateways in other processes. */
  readonly service: AdmissionService;
  /** Resolves once everything that plugins read is there. Reviews that come earlier wait for it. */
  ready(): Promise<void>;
  readonly isReady: boolean;
}

/** Creates admission. Throws a FlagError for plugins that do not exist and for configurations that cannot be. */
export function createAdmission(options: AdmissionOptions): RunningAdmission {
  const { storage, log = silentLogger } = options;
  const plugins = settingsFrom(pluginOptionFlags, options.plugins);
  const registry = createLiveTypeRegistry(
    createTypeRegistry({
      everyVersion: true,
      gates: plugins.featureGates,
      allowPrivileged: plugins.allowPrivileged,
      ...(options.addedTypes && { added: options.addedTypes }),
    }),
  );
  const metrics = createAdmissionMetrics(options.metrics);
  const configurations = readAdmissionConfiguration(plugins.admissionControlConfigFile, registeredPlugins);
  const registrations = selectPlugins(registeredPlugins, plugins);
  const owned =
    'feed' in options.objects
      ? cacheOn(options.objects.feed, typesRead(registry, registrations), options)
      : undefined;
  const watchCache = 'feed' in options.objects ? owned : options.objects.watchCache;
  if (watchCache === undefined) throw new Error('admission has neither a feed nor a cache');
  const customTypes = createCustomTypes({ registry, watchCache, storage, log });
  const objects = createObjectSource({ registry, watchCache, storage });
  const [namespaces] = typesRead(registry, []);
  if (namespaces === undefined) throw new Error('admission reads namespaces');
  const environment = {
    objects,
    namespaces: createNamespaceSource(namespaces, { cache: watchCache.type(namespaces), storage }),
    registry,
    webhookDispatch: options.webhookDispatch,
    settings: pluginSettingsFrom(plugins),
    metrics,
    log,
    clock: Date.now,
  };
  const running = registrations.map(registration => ({
    plugin: registration.create({ ...environment, configuration: configurations.get(registration.name) }),
    concerns: registration.concerns,
    operations: registration.operations,
  }));
  const admission = createReviews({ customTypes, chain: createAdmissionChain(running, metrics) });
  return {
    admission,
    service: servedAdmission(admission),
    ready: () => customTypes.ready(),
    get isReady() {
      return watchCache.isReady && customTypes.isReady;
    },
    async [Symbol.asyncDispose]() {
      customTypes[Symbol.dispose]();
      await owned?.[Symbol.asyncDispose]();
    },
  };
}

/** Types that the frame itself reads, whatever plugins run. */
const frameReads: readonly TypeName[] = [
  { group: '', version: 'v1', resource: 'namespaces' },
  { group: groups.apiextensions, version: 'v1', resource: 'customresourcedefinitions' },
];

/** The types that the cache holds: what the frame and the plugins that run read. */
function typesRead(
  registry: TypeRegistry,
  registrations: readonly PluginRegistration[],
): ResourceDefinition[] {
  const names = [...frameReads, ...registrations.flatMap(({ reads = [] }) => reads)];
  const definitions = names.map(({ group, version, resource }) => {
    const definition = registry.resource(group, version, resource);
    if (definition === undefined) throw new Error(`admission needs the type ${group}/${version} ${resource}`);
    return definition;
  });
  return [...new Set(definitions)];
}

function cacheOn(
  feed: ChangeFeed,
  definitions: readonly ResourceDefinition[],
  { storage, log = silentLogger }: AdmissionOptions,
): WatchCache {
  return createWatchCache({
    definitions,
    isFixed: true,
    storage,
    feed,
    // No client watches this cache: it needs no past events.
    readsHistory: false,
    limits: { watchCacheMaxEvents: 1 },
    log: log.child({ component: 'watch-cache' }),
  });
}
