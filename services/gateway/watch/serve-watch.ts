import { createFieldSelector } from '@binnacle/api-objects';
import { createCallContext } from '@binnacle/rpc';
import type { CacheQuery, TypeCache, WatchStart } from '@binnacle/watch-cache';
import type { ReadServices } from '../read/read-services.ts';
import { parseWatchOptions, type WatchOptions } from '../read/watch-options.ts';
import { apiVersionAliasFor } from '../render/api-version-alias.ts';
import { negotiate } from '../render/negotiate.ts';
import { findOffer } from '../render/negotiation-offers.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Exchange } from '../request/exchange.ts';
import { isUpgraded } from '../request/web-socket-request.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import type { CredentialChecks } from './credential-checks.ts';
import { OutletSink } from './outlet-sink.ts';
import type { WatchFormat } from './watch-format.ts';
import type { WatchFormatQuery, WatchFormats } from './watch-formats.ts';
import { WatchLifetime } from './watch-lifetime.ts';
import { type WatchTransport, watchTransport } from './watch-transport.ts';

/** Services of watches. */
export interface WatchServices extends ReadServices {
  readonly formats: WatchFormats;
  readonly settings: Pick<
    GatewaySettings,
    'watchBufferBytes' | 'minRequestTimeout' | 'maxWatchTimeout' | 'requestTimeout'
  >;
  readonly credentialChecks: CredentialChecks;
  /** Returns a number from 0 to 1, for the spread of timeouts. */
  readonly random: () => number;
}

/** The longest wait of a timer. */
const longestTimeoutSeconds = 2_000_000;

/**
 * Begins a watch (spec 1, "Watch") and returns when its events are on their way: from then on the connection belongs
 * to the watch cache until the watch ends. Errors before that are thrown; an expired start is an ERROR event.
 */
export async function serveWatch(
  exchange: Exchange,
  request: ApiRequest,
  services: WatchServices,
): Promise<void> {
  const { definition, query } = request;
  const options = parseWatchOptions(query, definition);
  const format = formatFor(exchange, request, services);
  const cache = services.watchCache.type(definition);
  const start = await findStart(options, { cache, request, services });
  const transport = await watchTransport(exchange);
  if (exchange.isDisconnected) return;
  beginWatch({ exchange, request, options, format, cache, start, transport, services });
  releaseRequest(exchange);
}

interface StartedWatch {
  readonly exchange: Exchange;
  readonly request: ApiRequest;
  readonly options: WatchOptions;
  readonly format: WatchFormat;
  readonly cache: TypeCache;
  readonly start: WatchStart;
  readonly transport: WatchTransport;
  readonly services: WatchServices;
}

function beginWatch(started: StartedWatch): void {
  const { exchange, request, options, format, cache, start, transport, services } = started;
  const life = new WatchLifetime();
  const { credential } = exchange;
  const { credentialChecks } = services;
  const { outlet, finish } = transport.takeOver(format, () => life.close());
  const from = 'after' in start ? start.after : 0;
  const sink = new OutletSink({
    outlet,
    finish,
    format,
    watchBufferBytes: services.settings.watchBufferBytes,
    expiredMessage: () => `too old resource version: ${from} (${cache.oldestRevision})`,
    onEnd() {
      life.end();
      credentialChecks.delete(credential, life);
    },
  });
  const watcher = cache.watch({
    ...createQuery(request, options),
    start,
    encoding: format.encoding,
    sink,
    bookmarks: options.allowBookmarks,
  });
  const seconds = options.timeoutSeconds ?? randomTimeout(services);
  const maxSeconds = Math.floor(services.settings.maxWatchTimeout / 1000);
  if (!life.isOver) credentialChecks.add(credential, life);
  life.begin(watcher, Math.min(seconds, maxSeconds, longestTimeoutSeconds) * 1000);
  exchange.response.once('close', () => life.close());
}

/** The query for the objects of a watch; on the older form of its path a name is a further condition. */
function createQuery({ info }: ApiRequest, { labelSelector, fieldSelector }: WatchOptions): CacheQuery {
  const { namespace, name } = info;
  const named = [{ field: 'metadata.name', operator: '=' as const, value: name }];
  const fields = name === '' ? fieldSelector : createFieldSelector([...fieldSelector.requirements, ...named]);
  return {
    namespace: namespace === '' ? undefined : namespace,
    ...(labelSelector.requirements.length === 0 ? {} : { labelSelector }),
    ...(fields.requirements.length === 0 ? {} : { fieldSelector: fields }),
  };
}

async function findStart(
  { start, closesInitial: bookmark }: WatchOptions,
  { cache, request, services }: { cache: TypeCache; request: ApiRequest; services: WatchServices },
): Promise<WatchStart> {
  const seeAllWrites = async () => {
    using call = createCallContext({ timeoutMs: services.settings.requestTimeout, parent: request.call });
    await services.consistentReads.mostRecentInCache(cache, call);
  };
  switch (start.kind) {
    case 'any':
      return { initial: true, bookmark };
    case 'mostRecent':
      await seeAllWrites();
      return { initial: true, bookmark };
    case 'notOlderThan':
      return { initial: true, bookmark, atLeast: start.revision };
    case 'after':
      return { after: start.revision };
    case 'afterMostRecent':
      await seeAllWrites();
      return { after: cache.revision };
    case 'afterAny':
      return { after: cache.revision };
  }
}

function formatFor(exchange: Exchange, request: ApiRequest, services: WatchServices): WatchFormat {
  const { query } = request;
  const { accept, 'user-agent': userAgent } = exchange.request.headers;
  const offer = findOffer('watch', request.definition.message.structure === undefined);
  const representation = negotiate({ accept, userAgent, query }, offer);
  return services.formats.of({
    definition: request.definition,
    alias: apiVersionAliasFor(request.definition, request.info),
    representation,
    includeObject: query.get('includeObject') ?? '',
    transport: findTransport(exchange),
  });
}

function findTransport({ request, response }: Exchange): WatchFormatQuery['transport'] {
  if (response.outlet !== undefined) return 'stream';
  return isUpgraded(request) ? 'webSocket' : 'chunks';
}

/** Releases memory that only the request needed: watches are many, and long. */
function releaseRequest({ request }: Exchange): void {
  request.headers = {};
  request.rawHeaders = [];
}

function randomTimeout({ settings, random }: WatchServices): number {
  return Math.round(settings.minRequestTimeout * (1 + random()));
}
