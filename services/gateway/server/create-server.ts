import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as HttpsServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { isInNetworks, parseNetworks } from '@binnacle/network-filter';
import {
  allowAnswerBytes,
  ConnectionGuard,
  type ConnectionMetrics,
  noConnectionMetrics,
} from '@binnacle/service-kit';
import express, { type Express } from 'express';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { createExchange, type Exchange } from '../pipeline/exchange.ts';
import { asksForWebSocket } from '../request-info/web-socket-request.ts';
import { type ConnectionSettings, defaultConnectionSettings } from './connection-settings.ts';
import { refuseBytes } from './refuse-bytes.ts';
import { secureContextOptions } from './secure-context-options.ts';
import { upgradedResponse } from './upgraded-response.ts';

/** Certificate and key of the server, PEM, and the authority of client certificates. */
export interface ServingTls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Clients may show certificates of this authority; without one, client certificates are not asked for. */
  readonly clientCa?: string | Buffer | undefined;
}

/** What the HTTP server is made from. */
export interface HttpServerOptions {
  /** Undefined: plain HTTP, behind something that ends TLS. */
  readonly tls: ServingTls | undefined;
  readonly handle: (exchange: Exchange) => Promise<void>;
  /** Whether connections are to be closed after the answer under way. */
  readonly isStopping: () => boolean;
  /** The longest that a request may take to arrive. */
  readonly requestTimeoutMs: number;
  /** Default: those of a gateway that is not told otherwise. */
  readonly connections?: Partial<ConnectionSettings>;
  readonly connectionMetrics?: ConnectionMetrics;
  readonly metrics: Pick<GatewayMetrics, 'tlsHandshakeFailed'>;
  readonly clock: () => number;
}

/** The HTTP server, and what keeps its connections bounded. */
export interface GuardedServer {
  readonly server: Server;
  readonly guard: ConnectionGuard;
}

const maxHeaderBytes = 64 * 1024;
/** The longest pause between two searches for requests that take too long to arrive. */
const longestCheckMs = 2_000;
/** More than an object that is sent as a whole; lists wait for each of their parts to be taken. */
const answerBytesOnTheirWay = 8 * 1024 * 1024;
const tcpKeepAliveMs = 30_000;

/** Creates the HTTP/1.1 server, which does not listen by itself; over TLS unless told otherwise. */
export function createServer(options: HttpServerOptions): GuardedServer {
  const connections: ConnectionSettings = { ...defaultConnectionSettings, ...options.connections };
  const { headerTimeoutMs } = connections;
  const http: ServerOptions = {
    maxHeaderSize: maxHeaderBytes,
    keepAlive: true,
    keepAliveInitialDelay: tcpKeepAliveMs,
    noDelay: true,
    headersTimeout: headerTimeoutMs,
    connectionsCheckingInterval: Math.ceil(Math.min(longestCheckMs, headerTimeoutMs / 4)),
    requestTimeout: Math.max(options.requestTimeoutMs, headerTimeoutMs),
    keepAliveTimeout: connections.keepAliveTimeoutMs,
    shouldUpgradeCallback: asksForWebSocket,
  };
  const app = createApp(options);
  const server =
    options.tls === undefined
      ? createHttpServer(http, app)
      : createTlsServer({ ...http, handshakeTimeout: connections.handshakeTimeoutMs }, options.tls, app);
  const guard = createGuard(server, connections, options.connectionMetrics);
  const established = options.tls === undefined ? 'connection' : 'secureConnection';
  server.on(established, (stream: Socket) => allowAnswerBytes(stream, answerBytesOnTheirWay));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (guard.isEstablished(socket)) refuseBytes(socket, error.code ?? '');
    else socket.destroy();
  });
  server.on('upgrade', (request, socket: Socket, head) => {
    const response = upgradedResponse(request, socket, head);
    options.handle(createExchange(request, response, options.clock)).catch(() => response.destroy());
  });
  server.on('tlsClientError', () => options.metrics.tlsHandshakeFailed());
  return { server, guard };
}

function createGuard(
  server: Server,
  settings: ConnectionSettings,
  metrics: ConnectionMetrics = noConnectionMetrics,
): ConnectionGuard {
  const balancers = parseNetworks(settings.proxyProtocolNetworks);
  return new ConnectionGuard(server, {
    limits: settings,
    handshakeTimeoutMs: settings.handshakeTimeoutMs,
    stallTimeouts: { bodyMs: settings.bodyTimeoutMs, answerMs: settings.answerTimeoutMs },
    metrics,
    ...(balancers.length > 0 && { isBalancer: address => isInNetworks(balancers, address) }),
    onBodyStalled: stream => refuseBytes(stream, 'ERR_HTTP_REQUEST_TIMEOUT'),
  });
}

function createTlsServer(http: HttpsServerOptions, tls: ServingTls, app: Express): Server {
  return createHttpsServer(
    {
      ...http,
      ...secureContextOptions(tls),
      // Express does not speak HTTP/2.
      ALPNProtocols: ['http/1.1'],
      // A certificate that does not verify is a matter of authentication: it gets a 401, not a broken connection.
      rejectUnauthorized: false,
      ...(tls.clientCa === undefined ? {} : { requestCert: true }),
    },
    app,
  );
}

/** One handler for everything: the paths of the API are not express routes, and its conveniences cost more than they give. */
function createApp({ handle, isStopping, clock }: HttpServerOptions): Express {
  const app = express();
  app.disable('etag');
  app.disable('x-powered-by');
  app.use((request, response) => {
    if (isStopping()) response.shouldKeepAlive = false;
    handle(createExchange(request, response, clock)).catch(() => response.destroy());
  });
  return app;
}
