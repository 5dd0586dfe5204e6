import { type Admission, servedAdmission } from '@binnacle/admission-contract';
import { groups } from '@binnacle/api-names';
import {
  type AddedTypes,
  createLiveTypeRegistry,
  createTypeRegistry,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import type { FollowedFiles } from '@binnacle/backend-access';
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

/** The source of objects for admission: a cache that the caller owns, or a feed from which admission fills its own. */
type AdmissionObjects =
  /** The cache must hold namespaces, custom resource definitions, and the types that plugins declare in `reads`. */
  { readonly watchCache: WatchCache } | { readonly feed: ChangeFeed };

/** Options of admission. */
interface AdmissionOptions {
  readonly storage: Storage;
  readonly objects: AdmissionObjects;
  readonly webhookDispatch: WebhookDispatchService;
  /** Types besides the built-in ones. Admission has all built-in types; the gateway decides which are served. */
  readonly addedTypes?: AddedTypes;
  /** Selection and settings of plugins; default: the defaults of the flags. */
  readonly plugins?: Partial<PluginOptions>;
  /** Follows files that configurations of plugins name; default: they are only read. */
  readonly files?: FollowedFiles;
  readonly log?: Logger;
  readonly metrics?: Metrics;
}

/** A running admission with its resources. */
interface RunningAdmission extends AsyncDisposable {
  /** Interface for a gateway in this process. */
  readonly admission: Admission;
  /** Interface for gateways in other processes. */
  readonly service: AdmissionService;
  /** Resolves once all objects that plugins read are loaded. Reviews that arrive earlier wait for it. */
  ready(): Promise<void>;
  readonly isReady: boolean;
}

/** Refuses flags for which `createAdmission` would throw a FlagError: plugins that do not exist, a file that cannot be. */
export function checkPluginFlags(options: PluginOptions): void {
  const plugins = settingsFrom(pluginOptionFlags, options);
  selectPlugins(registeredPlugins, plugins);
  readAdmissionConfiguration(plugins.admissionControlConfigFile, registeredPlugins);
}

/** Creates admission. Throws a FlagError for unknown plugins and invalid configurations. */
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
    files: options.files,
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

/** Types that admission itself reads, whichever plugins run. */
const ownReads: readonly TypeName[] = [
  { group: '', version: 'v1', resource: 'namespaces' },
  { group: groups.apiextensions, version: 'v1', resource: 'customresourcedefinitions' },
];

/** Collects the types that the cache holds: those that admission itself and the running plugins read. */
function typesRead(
  registry: TypeRegistry,
  registrations: readonly PluginRegistration[],
): ResourceDefinition[] {
  const names = [...ownReads, ...registrations.flatMap(({ reads = [] }) => reads)];
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
