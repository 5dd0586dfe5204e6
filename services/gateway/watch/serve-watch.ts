import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { fieldSelectorOf } from '@binnacle/api-objects';
import { createCallContext } from '@binnacle/service-kit';
import { badRequest } from '@binnacle/status-errors';
import type { TypeCache, WatchStart } from '@binnacle/watch-cache';
import { negotiate, watchOffer } from '../negotiate/negotiate.ts';
import type { ApiRequest } from '../pipeline/api-request.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { parseWatchOptions, type WatchOptions } from '../read/list-options.ts';
import type { ReadServices } from '../read/read-services.ts';
import { spellingFor } from '../render/spelling.ts';
import { warningHeaders } from '../render/warning-headers.ts';
import { SocketSink } from './socket-sink.ts';
import type { WatchFormat } from './watch-format.ts';
import type { WatchFormats } from './watch-formats.ts';

/** What watches work with. */
export interface WatchServices extends ReadServices {
  readonly formats: WatchFormats;
  /** See `--watch-buffer-bytes`. */
  readonly bufferBytes: number;
  /** A watch without `timeoutSeconds` lasts between this many seconds and twice as many. */
  readonly minTimeoutSeconds: number;
  /** How long a watch may take to begin, in ms. */
  readonly startTimeoutMs: number;
  /** 0 to 1, for the spread of timeouts. */
  readonly random: () => number;
}

const maxTimeoutSeconds = 2_000_000;
const socketCheckMs = 2;
const maxSocketWaitMs = 2_000;

/**
 * Begins a watch (spec 1, "Watch") and returns when its events are on their way: from then on the connection belongs
 * to the watch cache until the watch ends. Errors before that are thrown; an expired start is an ERROR event.
 */
export async function serveWatch(
  exchange: Exchange,
  request: ApiRequest,
  services: WatchServices,
): Promise<void> {
  refuseUpgrade(exchange);
  const { definition, query } = request;
  const options = parseWatchOptions(query, definition);
  const format = formatFor(exchange, request, services);
  const cache = services.watchCache.type(definition);
  const start = await startOf(options, { cache, request, services });
  const socket = await socketOf(exchange);
  if (exchange.disconnected.aborted) return;
  takeOver(exchange, format);
  releaseRequest(exchange);
  beginWatch({ request, options, format, cache, start, socket, response: exchange.response, services });
}

interface StartedWatch {
  readonly request: ApiRequest;
  readonly options: WatchOptions;
  readonly format: WatchFormat;
  readonly cache: TypeCache;
  readonly start: WatchStart;
  readonly socket: Socket;
  readonly response: ServerResponse;
  readonly services: WatchServices;
}

function beginWatch(started: StartedWatch): void {
  const { request, options, format, cache, start, socket, response, services } = started;
  const { namespace, name } = request.info;
  const named = [{ field: 'metadata.name', operator: '=' as const, value: name }];
  const fieldSelector =
    name === '' ? options.fieldSelector : fieldSelectorOf([...options.fieldSelector.requirements, ...named]);
  const life: { timer: NodeJS.Timeout | undefined; over: boolean } = {
    timer: undefined,
    over: false,
  };
  const onEnd = () => {
    life.over = true;
    clearTimeout(life.timer);
  };
  const from = 'after' in start ? start.after : 0;
  const expiredMessage = () => `too old resource version: ${from} (${cache.oldestRevision})`;
  const { bufferBytes } = services;
  const sink = new SocketSink({ response, socket, format, bufferBytes, expiredMessage, onEnd });
  const watcher = cache.watch({
    namespace: namespace === '' ? undefined : namespace,
    ...(options.labelSelector.requirements.length === 0 ? {} : { labelSelector: options.labelSelector }),
    ...(fieldSelector.requirements.length === 0 ? {} : { fieldSelector }),
    start,
    encoding: format.encoding,
    sink,
    bookmarks: options.allowBookmarks,
  });
  if (life.over) return;
  response.once('close', () => watcher.close());
  const seconds = Math.min(maxTimeoutSeconds, options.timeoutSeconds ?? randomTimeout(services));
  life.timer = setTimeout(() => watcher.close({ bookmark: true }), seconds * 1000);
}

async function startOf(
  options: WatchOptions,
  { cache, request, services }: { cache: TypeCache; request: ApiRequest; services: WatchServices },
): Promise<WatchStart> {
  const { start } = options;
  if (start.kind === 'after') return { after: start.revision };
  if (start.kind === 'mostRecent') {
    using call = createCallContext({ timeoutMs: services.startTimeoutMs, parent: request.call });
    await services.consistentReads.mostRecentInCache(cache, call);
  }
  return { initial: true, bookmark: false };
}

function formatFor(exchange: Exchange, request: ApiRequest, services: WatchServices): WatchFormat {
  const { query } = request;
  const { accept, 'user-agent': userAgent } = exchange.request.headers;
  const representation = negotiate({ accept, userAgent, query }, watchOffer);
  return services.formats.of({
    definition: request.definition,
    spelling: spellingFor(request.definition, request.info),
    representation,
    includeObject: query.get('includeObject') ?? '',
  });
}

/** Sends the headers; from here on everything goes to the socket in frames that carry their own chunk framing. */
function takeOver({ response, warnings }: Exchange, format: WatchFormat): void {
  response.writeHead(200, {
    'Content-Type': format.contentType,
    'Transfer-Encoding': 'chunked',
    ...(warnings.length === 0 ? {} : { Warning: warningHeaders(warnings) }),
  });
  response.flushHeaders();
}

/**
 * The socket of a response. A client may send its next request before the server has heard that the answer before it
 * went out; the response has no socket until then. Pipelining behind a long answer is refused.
 */
async function socketOf({ response, disconnected }: Exchange): Promise<Socket> {
  for (let waitedMs = 0; response.socket === null; waitedMs += socketCheckMs) {
    if (waitedMs >= maxSocketWaitMs || disconnected.aborted) {
      throw badRequest('a watch cannot be pipelined behind another request');
    }
    await setTimeoutPromise(socketCheckMs);
  }
  return response.socket;
}

function refuseUpgrade({ request }: Exchange): void {
  if (request.headers.upgrade !== undefined) {
    throw badRequest('a watch over WebSocket is not offered by this server; use a plain GET with watch=true');
  }
  if (request.httpVersionMajor === 1 && request.httpVersionMinor === 0) {
    throw badRequest('a watch needs HTTP/1.1');
  }
}

/** Lets go of what only the request needed: watchers are many, and they last. */
function releaseRequest({ request }: Exchange): void {
  request.headers = {};
  request.rawHeaders = [];
}

function randomTimeout({ minTimeoutSeconds, random }: WatchServices): number {
  return Math.round(minTimeoutSeconds * (1 + random()));
}
