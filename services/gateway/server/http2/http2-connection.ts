import { METHODS } from 'node:http';
import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import {
  type Awaited,
  bytesTaken,
  bytesWaiting,
  type ConnectionTraffic,
  findTcpSocket,
  StallClock,
  type StallTimeouts,
} from '@binnacle/connections';
import { badRequest, type StatusError } from '@binnacle/status-errors';
import { clientError } from '../../request/client-error.ts';
import type { HttpRequest, HttpResponse } from '../../request/http-messages.ts';
import { requestFault } from '../../request/request-fault.ts';
import type { ConnectionSettings } from '../../settings/connection-flags.ts';
import { FrameBatches } from './frame-batches.ts';
import type { Http2Metrics, Http2Refusal } from './http2-metrics.ts';
import { Http2Request } from './http2-request.ts';
import { Http2Response } from './http2-response.ts';
import { ServedStream } from './served-stream.ts';
import type { StartQueue } from './start-queue.ts';

/** Options of connections of HTTP/2. */
export interface Http2ConnectionOptions
  extends Pick<
    ConnectionSettings,
    'http2MaxStreamsPerConnection' | 'requestHeaderTimeout' | 'keepAliveTimeout' | 'goawayChance'
  > {
  /** Serves one request; settles when nothing more is done for it, though its answer may go on. */
  readonly serve: (request: HttpRequest, response: HttpResponse) => Promise<void>;
  readonly isStopping: () => boolean;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** All the headers of a request together. */
  readonly maxHeaderBytes: number;
  readonly metrics: Http2Metrics;
  /** Requests of all connections that are to be started. */
  readonly starts: StartQueue<Arrival>;
}

/** A request that has come and was not started yet. */
export interface Arrival {
  readonly connection: Http2Connection;
  readonly stream: ServerHttp2Stream;
  readonly head: RequestHead;
  readonly headBytes: number;
}

interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  /** Whether the request ends with its headers. */
  readonly isWhole: boolean;
}

/** Bytes of watches that may wait for the client of one connection. */
const maxWatchBytes = 8 * 1024 * 1024;
/** Bytes that requests and answers may hold of one connection: new requests are refused beyond it. Watches have their own bound. */
const maxHeldBytes = 4 * 1024 * 1024;
/** A client whose last request is done has this long to close its side. */
const closingMs = 1_000;

/** The size of a header field besides its name and value (RFC 9113, 6.5.2). */
const fieldBytes = 32;

const methods = new Set(METHODS.filter(method => method !== 'CONNECT'));

/**
 * One connection of HTTP/2: its requests, and the limits of its client.
 *
 * Each request enters the pipeline that those of HTTP/1.1 enter, unless its client has reset it by the end of the turn
 * in which it came. Requests that are reset later count until the pipeline has let go of them, so resets do not make
 * room for more requests than it may have. Timeouts are those of HTTP/1.1: of one stream where that stream is kept
 * waiting, of the connection where the kernel takes nothing for it.
 */
export class Http2Connection implements ConnectionTraffic {
  readonly batches = new FrameBatches();
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #options: Http2ConnectionOptions;
  readonly #clock = new StallClock();
  readonly #frames: FrameBudget;
  /** Streams that are open, or whose requests are still being served. */
  readonly #streams = new Set<ServedStream>();
  /** Requests that are not started yet, and the bytes of their headers. */
  readonly #arriving = { count: 0, headBytes: 0 };
  #isFirst = true;
  #idleSince: number;
  #closingAt: number | undefined;
  /** At least as many bytes of watches wait for the client. */
  #mostWatchBytes = 0;

  constructor(session: ServerHttp2Session, socket: Socket, options: Http2ConnectionOptions) {
    this.#session = session;
    this.#socket = socket;
    this.#options = options;
    this.#idleSince = performance.now();
    this.#frames = new FrameBudget(this.#idleSince);
    session.on('stream', (stream, headers, flags, rawHeaders) => {
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      this.#receive(stream, { headers, rawHeaders, isWhole });
    });
    const count = () => {
      if (!this.#frames.take(performance.now())) this.#refuse();
    };
    session.on('ping', count).on('remoteSettings', count);
    // A failure shows in the end of each stream.
    session.on('error', () => {});
    session.on('close', () => this.batches[Symbol.dispose]());
  }

  get isActive(): boolean {
    return this.#streams.size > 0 || this.#arriving.count > 0;
  }

  get isSending(): boolean {
    return bytesWaiting(findTcpSocket(this.#socket)) > 0;
  }

  /** The wait of the stream that waits least. */
  waitedMs(now: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const stream of this.#streams) least = Math.min(least, stream.waitedMs(now));
    return Number.isFinite(least) ? least : 0;
  }

  /** Resets streams whose client does not go on, and closes a connection that has been idle for too long. */
  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined {
    for (const stream of this.#streams) {
      const awaited = stream.stalled(now, timeouts);
      if (awaited === undefined) continue;
      this.#options.metrics.refused(awaited);
      if (awaited === 'body') stream.refuseBody();
      else stream.destroy();
    }
    this.#closeInTime(performance.now());
    const tcp = findTcpSocket(this.#socket);
    const movedBytes = bytesTaken(tcp);
    return this.#clock.stalled(this.isSending ? { awaited: 'answer', movedBytes } : undefined, now, timeouts);
  }

  startStopping(): void {
    this.#startClosing();
  }

  /** Bounds what waits for the client: the watch that holds most is broken off. */
  wrote(bytes: number): void {
    this.#mostWatchBytes += bytes;
    if (this.#mostWatchBytes <= maxWatchBytes) return;
    let largest: ServedStream | undefined;
    this.#mostWatchBytes = 0;
    for (const stream of this.#streams) {
      this.#mostWatchBytes += stream.watchedLength;
      if (stream.watchedLength > (largest?.watchedLength ?? 0)) largest = stream;
    }
    if (this.#mostWatchBytes <= maxWatchBytes) return;
    this.#options.metrics.refused('watch-bytes');
    largest?.destroy();
  }

  #receive(stream: ServerHttp2Stream, head: RequestHead): void {
    // A failure shows in the end of the stream.
    stream.on('error', () => {});
    const headBytes = countHeadBytes(head.rawHeaders);
    if (this.#arriving.headBytes + headBytes > maxHeldBytes) {
      this.#refuseStream(stream, 'held-bytes');
      return;
    }
    this.#arriving.count++;
    this.#arriving.headBytes += headBytes;
    this.#options.starts.push({ connection: this, stream, head, headBytes });
  }

  /** Starts a request that has come, unless its client has reset it. */
  start({ stream, head, headBytes }: Arrival): void {
    this.#arriving.count--;
    this.#arriving.headBytes -= headBytes;
    if (stream.closed || stream.destroyed) return;
    const { http2MaxStreamsPerConnection, metrics, serve, isStopping, goawayChance, random } = this.#options;
    const reason = this.#lackOfRoom(http2MaxStreamsPerConnection, headBytes);
    if (reason !== undefined) {
      this.#refuseStream(stream, reason);
      return;
    }
    this.#isFirst = false;
    const served = new ServedStream(stream, this, headBytes);
    const request = new Http2Request(stream, head, this.#socket);
    const response = new Http2Response(served);
    served.serves(request, response);
    this.#streams.add(served);
    metrics.streams(1);
    let isServed = false;
    const settle = () => {
      if (!isServed || !stream.destroyed || !this.#streams.delete(served)) return;
      metrics.streams(-1);
      this.#idleSince = performance.now();
    };
    stream.once('close', () => {
      // The response of a whole answer finishes by itself.
      if (!served.isWhole) response.destroy();
      settle();
    });
    if (isStopping() || (goawayChance > 0 && random() < goawayChance)) this.#startClosing();
    if (/^100-continue$/i.test(head.headers.expect ?? '')) goOn(stream);
    const done = () => {
      isServed = true;
      settle();
    };
    const refusal = this.#refusalOf(headBytes, request, head.headers[':authority']);
    if (refusal === undefined) {
      void serve(request, response).then(done, done);
    } else {
      served.refuse(refusal);
      done();
    }
  }

  #refuseStream(stream: ServerHttp2Stream, reason: Http2Refusal): void {
    this.#options.metrics.refused(reason);
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  }

  /** The reason why a request has no room; the client may send it again. */
  #lackOfRoom(maxStreams: number, headBytes: number): Http2Refusal | undefined {
    if (this.#streams.size >= maxStreams) return 'streams';
    let held = headBytes;
    for (const stream of this.#streams) held += stream.heldBytes;
    return held > maxHeldBytes ? 'held-bytes' : undefined;
  }

  /** Refuses as the parser of HTTP/1.1 does. A client that did not agree to the settings is not bound by them in Node. */
  #refusalOf(
    headBytes: number,
    request: Http2Request,
    authority: string | undefined,
  ): StatusError | undefined {
    if (headBytes > this.#options.maxHeaderBytes) return clientError('HPE_HEADER_OVERFLOW');
    if (!methods.has(request.method)) return clientError('HPE_INVALID_METHOD');
    const fault = requestFault(request, { authority });
    return fault === undefined ? undefined : badRequest(fault);
  }

  /**
   * Tells the client which requests are served; it sends later ones elsewhere. The connection closes with its last
   * stream.
   */
  #startClosing(): void {
    if (this.#closingAt !== undefined) return;
    this.#closingAt = performance.now();
    if (!this.#session.closed && !this.#session.destroyed) this.#session.close();
  }

  #closeInTime(now: number): void {
    const { requestHeaderTimeout, keepAliveTimeout } = this.#options;
    if (this.isActive) return;
    if (this.#closingAt === undefined) {
      const idleLimitMs = this.#isFirst ? requestHeaderTimeout : keepAliveTimeout;
      if (now - this.#idleSince >= idleLimitMs) this.#startClosing();
    } else if (now - Math.max(this.#closingAt, this.#idleSince) >= closingMs) {
      this.#socket.destroy();
    }
  }

  #refuse(): void {
    if (this.#session.destroyed) return;
    this.#options.metrics.refused('frames');
    this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

function countHeadBytes(rawHeaders: readonly string[]): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + fieldBytes / 2;
  return bytes;
}

/** Tells the client to send the body. It may have reset the stream already: Node reports resets a little later. */
function goOn(stream: ServerHttp2Stream): void {
  if (stream.closed || stream.destroyed) return;
  try {
    stream.additionalHeaders({ ':status': 100 });
  } catch {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}

/** Frames that need an answer which a client may send at once, and each second. */
const burst = 200;
const perSecond = 20;

/** Bounds frames that cost the server work without being requests: PING and SETTINGS, each of which it answers. */
class FrameBudget {
  #left = burst;
  #filledAt: number;

  constructor(now: number) {
    this.#filledAt = now;
  }

  /** Counts one frame at a time in ms; false when there are too many. */
  take(now: number): boolean {
    this.#left = Math.min(burst, this.#left + ((now - this.#filledAt) * perSecond) / 1000);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
