import { performServerHandshake, type ServerOptions } from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionTraffic } from '@binnacle/connections';
import { type Arrival, Http2Connection, type Http2ConnectionOptions } from './http2-connection.ts';
import { windowBytes } from './served-stream.ts';
import { StartQueue } from './start-queue.ts';

/** Accepts connections whose client has chosen HTTP/2, and knows the traffic of those. */
export interface Http2Acceptor {
  accept(socket: Socket): void;
  trafficOf(socket: Socket): ConnectionTraffic | undefined;
}

/** Most headers of a request, as many as Node accepts over HTTP/1.1. */
const maxHeaderPairs = 1_000;
/** Limits on requests that a client resets: at once, twice as many as it may have under way, and the number a second. */
const resetBurstOfStreams = 2;
const resetsPerSecond = 100;
/** Megabytes that a connection may hold before its new streams are refused. */
const maxSessionMegabytes = 32;

/**
 * Creates the server of HTTP/2 for sockets that negotiated it. Frames that break the rules, floods of resets, of empty
 * frames and of unread answers to PING and SETTINGS end a connection in Node itself.
 */
export function createHttp2Acceptor(options: Omit<Http2ConnectionOptions, 'starts'>): Http2Acceptor {
  const traffic = new WeakMap<Socket, ConnectionTraffic>();
  const starts = new StartQueue<Arrival>({ start: arrival => arrival.connection.start(arrival) });
  const settings: ServerOptions = {
    maxHeaderListPairs: maxHeaderPairs,
    maxSessionMemory: maxSessionMegabytes,
    streamResetBurst: resetBurstOfStreams * options.http2MaxStreamsPerConnection,
    streamResetRate: resetsPerSecond,
    settings: {
      enablePush: false,
      initialWindowSize: windowBytes,
      maxConcurrentStreams: options.http2MaxStreamsPerConnection,
      maxHeaderListSize: options.maxHeaderBytes,
    },
  };
  return {
    accept(socket) {
      if (socket.destroyed) return;
      const session = performServerHandshake(socket, settings);
      traffic.set(socket, new Http2Connection(session, socket, { ...options, starts }));
    },
    trafficOf: socket => traffic.get(socket),
  };
}
