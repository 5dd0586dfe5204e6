import {
  createLiveTypeRegistry,
  createTypeRegistry,
  type ResourceDefinition,
  type TypeRegistry,
} from '@binnacle/api-types';
import type { AdmissionService, WebhookDispatchService } from '@binnacle/proto';
import { type Logger, type Metrics, silentLogger, withDeadline } from '@binnacle/service-kit';
import { serviceUnavailable } from '@binnacle/status-errors';
import type { Storage } from '@binnacle/storage-contract';
import { type ChangeFeed, createWatchCache, type WatchCache } from '@binnacle/watch-cache';
import { type AdmissionMetrics, createAdmissionMetrics } from './admission-metrics.ts';
import { createAdmissionChain } from './chain/admission-chain.ts';
import { type OfferedPlugin, type PluginSelection, selectPlugins } from './chain/plugin-selection.ts';
import type { Review } from './chain/review.ts';
import { review } from './handlers/review.ts';
import { createNamespaceLifecycle } from './plugins/namespace-lifecycle/mutate.ts';
import { createValidatingWebhooks } from './plugins/validating-webhook/validate.ts';
import { createWebhookSource } from './plugins/validating-webhook/webhook-source.ts';
import { createCustomTypes } from './sources/custom-types.ts';
import { createNamespaceSource } from './sources/namespaces.ts';

/** Where admission reads objects from: a cache that somebody else owns, or a feed to build one on. */
export type AdmissionObjects =
  /** Must hold namespaces, webhook configurations and custom resource definitions. */
  { readonly watchCache: WatchCache } | { readonly feed: ChangeFeed };

/** What admission is made from. */
export interface AdmissionOptions {
  readonly storage: Storage;
  readonly objects: AdmissionObjects;
  readonly webhookDispatch: WebhookDispatchService;
  /** Default: the registry of all types; what of them is served is the gateway's affair. */
  readonly registry?: TypeRegistry;
  /** Plugins beyond the defaults. */
  readonly plugins?: PluginSelection;
  readonly log?: Logger;
  readonly metrics?: Metrics;
}

/** The handlers of admission, and what they hold. */
export interface Admission extends AsyncDisposable {
  readonly service: AdmissionService;
  /** Resolves once everything that plugins read is there. Reviews that come earlier wait for it. */
  ready(): Promise<void>;
  readonly isReady: boolean;
}

/** Creates admission. Throws a FlagError for plugin names that do not exist. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { plugins = { enabled: [], disabled: [] }, storage, log = silentLogger } = options;
  const registry = createLiveTypeRegistry(options.registry ?? createTypeRegistry({ everyVersion: true }));
  const types = requiredTypes(registry);
  const metrics = createAdmissionMetrics(options.metrics);
  const owned = 'feed' in options.objects ? cacheOn(options.objects.feed, types, options) : undefined;
  const watchCache = 'feed' in options.objects ? owned : options.objects.watchCache;
  if (watchCache === undefined) throw new Error('admission has neither a feed nor a cache');
  const customTypes = createCustomTypes({ registry, watchCache, storage, log });
  const offered = offeredPlugins({ types, watchCache, metrics, options });
  const chain = createAdmissionChain(selectPlugins(offered, plugins), metrics);
  return {
    service: { review: (request, call) => review(request, call, { customTypes, chain }) },
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

interface RequiredTypes {
  readonly namespaces: ResourceDefinition;
  readonly validatingWebhooks: ResourceDefinition;
  readonly definitions: ResourceDefinition;
}

function requiredTypes(registry: TypeRegistry): RequiredTypes {
  const namespaces = registry.resource('', 'v1', 'namespaces');
  const validatingWebhooks = registry.resource(
    'admissionregistration.cluster.io',
    'v1',
    'validatingwebhookconfigurations',
  );
  const definitions = registry.resource('apiextensions.cluster.io', 'v1', 'customresourcedefinitions');
  if (namespaces === undefined || validatingWebhooks === undefined || definitions === undefined)
    throw new RangeError(
      'admission needs namespaces, webhook configurations and definitions among the types that are served',
    );
  return { namespaces, validatingWebhooks, definitions };
}

function cacheOn(
  feed: ChangeFeed,
  types: RequiredTypes,
  { storage, log = silentLogger }: AdmissionOptions,
): WatchCache {
  return createWatchCache({
    definitions: [types.namespaces, types.validatingWebhooks, types.definitions],
    storage,
    feed,
    // Nobody watches this cache: it needs no past events.
    maxWindowEvents: 1,
    log: log.child({ component: 'watch-cache' }),
  });
}

/** Every plugin there is, in the order in which they run. */
function offeredPlugins(parts: {
  readonly types: RequiredTypes;
  readonly watchCache: WatchCache;
  readonly metrics: AdmissionMetrics;
  readonly options: AdmissionOptions;
}): readonly OfferedPlugin[] {
  const { types, watchCache, metrics, options } = parts;
  const namespaces = createNamespaceSource(types.namespaces, {
    cache: watchCache.type(types.namespaces),
    storage: options.storage,
  });
  return [
    { plugin: createNamespaceLifecycle(namespaces), byDefault: true },
    {
      plugin: createValidatingWebhooks({
        ready: review => waitUntilReady(watchCache, review),
        webhooks: createWebhookSource(watchCache.type(types.validatingWebhooks)),
        namespaces,
        dispatch: options.webhookDispatch,
        metrics,
      }),
      byDefault: true,
    },
  ];
}

/** No write may slip past a webhook because its configuration is not known here at the start. */
async function waitUntilReady(watchCache: WatchCache, { call }: Review): Promise<void> {
  if (watchCache.isReady) return;
  try {
    await withDeadline(watchCache.ready(), call);
  } catch {
    throw serviceUnavailable('admission is starting and does not know the webhooks; nothing was changed');
  }
}
