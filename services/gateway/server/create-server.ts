import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions as HttpsServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  allowAnswerBytes,
  ConnectionGuard,
  type ConnectionMetrics,
  lookAtFirstHead,
  noConnectionMetrics,
  responseUnderWay,
} from '@binnacle/connections';
import { settingsFrom } from '@binnacle/flags';
import { isInNetworks, parseNetworks } from '@binnacle/network-filter';
import { badRequest, type StatusError } from '@binnacle/status-errors';
import express, { type Request, type Response } from 'express';
import { keepShownCertificates } from '../authentication/shown-certificates.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { clientError } from '../request/client-error.ts';
import { createExchange, type Exchange } from '../request/exchange.ts';
import type { HttpRequest, HttpResponse } from '../request/http-messages.ts';
import { requestFault, requestLineFault } from '../request/request-fault.ts';
import { asksForWebSocket } from '../request/web-socket-request.ts';
import { type ConnectionSettings, connectionFlags } from '../settings/connection-flags.ts';
import { clientErrorResponse, refuseRequest } from './client-error-response.ts';
import { createHttp2Acceptor, type Http2Acceptor } from './http2/accept-http2.ts';
import { type Http2Metrics, noHttp2Metrics } from './http2/http2-metrics.ts';
import { joinAuthorities, type ServingTls, secureContextOptions } from './secure-context-options.ts';

/** Options of the HTTP server. */
interface HttpServerOptions {
  /** Undefined: plain HTTP, behind a load balancer that terminates TLS. */
  readonly tls: ServingTls | undefined;
  readonly handle: (exchange: Exchange) => Promise<void>;
  /** Whether connections are to be closed after the answer under way. */
  readonly isStopping: () => boolean;
  /** The longest that a request may take to arrive. */
  readonly requestTimeout: number;
  /** Default: those of a gateway without flags. */
  readonly connections?: Partial<ConnectionSettings>;
  readonly connectionMetrics?: ConnectionMetrics;
  readonly http2Metrics?: Http2Metrics;
  readonly metrics: Pick<GatewayMetrics, 'tlsHandshakeFailed'>;
  readonly clock: () => number;
  readonly random?: () => number;
}

/** Serves one request; never rejects. */
type Serve = (request: HttpRequest, response: HttpResponse) => Promise<void>;

/** The HTTP server, and what keeps its connections bounded. */
interface GuardedServer {
  readonly server: Server;
  readonly guard: ConnectionGuard;
}

const maxHeaderBytes = 64 * 1024;
/** The longest pause between two searches for requests that take too long to arrive. */
const longestCheckMs = 2_000;
/** More than an object that is sent as a whole; lists wait for each of their parts to be taken. */
const answerBytesOnTheirWay = 8 * 1024 * 1024;
const tcpKeepAliveMs = 30_000;

/**
 * Creates the HTTP server, which does not listen by itself. Over TLS it offers HTTP/2 and HTTP/1.1 by default;
 * without TLS it speaks HTTP/1.1.
 */
export function createServer(options: HttpServerOptions): GuardedServer {
  const connections = settingsFrom(connectionFlags, options.connections);
  const { requestHeaderTimeout } = connections;
  const http: ServerOptions = {
    maxHeaderSize: maxHeaderBytes,
    keepAlive: true,
    keepAliveInitialDelay: tcpKeepAliveMs,
    noDelay: true,
    headersTimeout: requestHeaderTimeout,
    connectionsCheckingInterval: Math.ceil(Math.min(longestCheckMs, requestHeaderTimeout / 4)),
    requestTimeout: Math.max(options.requestTimeout, requestHeaderTimeout),
    keepAliveTimeout: connections.keepAliveTimeout,
    shouldUpgradeCallback: asksForWebSocket,
    // Checked with the rest of its form, and answered with a Status.
    requireHostHeader: false,
  };
  const serve: Serve = (request, response) =>
    options.handle(createExchange(request, response, options.clock)).catch(() => void response.destroy());
  const serveHttp1 = (request: IncomingMessage, response: ServerResponse): Promise<void> | undefined => {
    const fault = requestFault(request);
    if (fault === undefined) return serve(request, response);
    refuseRequest(response, badRequest(fault));
    return undefined;
  };
  const app = createApp(serveHttp1, options);
  const server =
    options.tls === undefined
      ? createHttpServer(http, app)
      : createTlsServer(
          { ...http, handshakeTimeout: connections.tlsHandshakeTimeout },
          { tls: options.tls, protocols: alpnProtocols(connections) },
          app,
        );
  const http2 = options.tls && http2For(server, { ...options, serve, connections });
  const guard = createGuard(server, connections, { metrics: options.connectionMetrics, http2 });
  const established = options.tls === undefined ? 'connection' : 'secureConnection';
  server.on(established, (stream: Socket) => {
    allowAnswerBytes(stream, answerBytesOnTheirWay);
    refuseWithoutVersion(stream);
  });
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (guard.isEstablished(socket) && error.code !== 'ECONNRESET')
      refuseBytes(socket, clientError(parserFault(error)));
    else socket.destroy();
  });
  server.on('upgrade', (request, socket: Socket, head) => {
    void serveHttp1(request, upgradedResponse(request, socket, head));
  });
  server.on('tlsClientError', () => options.metrics.tlsHandshakeFailed());
  return { server, guard };
}

/** The error of a request that the HTTP parser could not read. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  /** Bytes of `rawPacket` up to the fault. */
  readonly bytesParsed?: number;
}

/** The code of an error of the parser; a line that ends after a method is a fault of the line, not of the method. */
function parserFault({ code = '', rawPacket, bytesParsed = 0 }: ParserError): string {
  const isLineEnd = /^[\r\n]/.test(rawPacket?.toString('latin1', bytesParsed, bytesParsed + 1) ?? '');
  return code === 'HPE_INVALID_METHOD' && isLineEnd ? 'HPE_INVALID_URL' : code;
}

/** Refuses the first request of a connection where its line ends without a version: the parser would wait for headers. */
function refuseWithoutVersion(stream: Socket): void {
  let line = '';
  lookAtFirstHead(stream, part => {
    const text = part.toString('latin1');
    // The parser passes over empty lines.
    line += line === '' ? text.replace(/^[\r\n]+/, '') : text;
    if (!text.includes('\n') || line === '') return false;
    const end = line.indexOf('\n');
    if (end < 0) return false;
    const fault = requestLineFault(line.slice(0, end));
    if (fault !== undefined) refuseBytes(stream, badRequest(fault));
    return true;
  });
}

/**
 * The response to a request that asks for an upgrade, over the socket that the HTTP server has let go of. An answer
 * that accepts the upgrade has code 101 and leaves the socket to the caller; after any other the connection is
 * closed. `head` is what the client sent after its request.
 */
function upgradedResponse(request: IncomingMessage, socket: Socket, head: Buffer): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The response reports it when the socket closes.
  socket.on('error', () => {});
  if (head.length > 0) socket.unshift(head);
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  return response;
}

interface GuardParts {
  readonly metrics: ConnectionMetrics | undefined;
  readonly http2: Http2Acceptor | undefined;
}

function createGuard(
  server: Server,
  settings: ConnectionSettings,
  { metrics = noConnectionMetrics, http2 }: GuardParts,
): ConnectionGuard {
  const balancers = parseNetworks(settings.proxyProtocolNetworks);
  return new ConnectionGuard(server, {
    limits: settings,
    handshakeTimeoutMs: settings.tlsHandshakeTimeout,
    stallTimeouts: { bodyMs: settings.requestBodyIdleTimeout, answerMs: settings.responseIdleTimeout },
    metrics,
    ...(http2 && { trafficOf: stream => http2.trafficOf(stream) }),
    ...(balancers.length > 0 && { isBalancer: address => isInNetworks(balancers, address) }),
    onBodyStalled: stream => refuseBytes(stream, clientError('ERR_HTTP_REQUEST_TIMEOUT')),
  });
}

/** Takes the connections that negotiated HTTP/2 away from the HTTP/1.1 server; undefined where HTTP/2 is not offered. */
function http2For(
  server: Server,
  options: HttpServerOptions & { readonly serve: Serve; readonly connections: ConnectionSettings },
): Http2Acceptor | undefined {
  const {
    serve,
    isStopping,
    random = Math.random,
    connections,
    http2Metrics: metrics = noHttp2Metrics,
  } = options;
  if (connections.http2MaxStreamsPerConnection === 0) return undefined;
  const http2 = createHttp2Acceptor({
    ...connections,
    serve,
    isStopping,
    random,
    maxHeaderBytes,
    metrics,
  });
  const acceptHttp1 = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket);
    else for (const listener of acceptHttp1) listener.call(server, socket);
  });
  return http2;
}

interface TlsParts {
  readonly tls: ServingTls;
  /** The protocols for clients, in the order of preference. */
  readonly protocols: string[];
}

function alpnProtocols({ http2MaxStreamsPerConnection }: ConnectionSettings): string[] {
  return http2MaxStreamsPerConnection === 0 ? ['http/1.1'] : ['h2', 'http/1.1'];
}

function createTlsServer(
  http: HttpsServerOptions,
  { tls, protocols }: TlsParts,
  app: RequestListener,
): Server {
  const server = createHttpsServer(
    {
      ...http,
      ...secureContextOptions(tls),
      ALPNProtocols: protocols,
      // A certificate that does not verify is a matter of authentication: it gets a 401, not a broken connection.
      rejectUnauthorized: false,
      requestCert: joinAuthorities(tls) !== undefined,
    },
    app,
  );
  if (tls.proxyCa !== undefined) keepShownCertificates(server);
  return server;
}

/**
 * One handler for everything over HTTP/1.1: the paths of the API are not express routes, and its conveniences cost more
 * than they give. Requests over HTTP/2 go to the same `serve` past it (docs/decisions/0021-http-2.md).
 */
function createApp(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined,
  { isStopping }: HttpServerOptions,
): RequestListener {
  const app = express();
  app.disable('etag');
  app.disable('x-powered-by');
  app.use((request, response) => {
    if (isStopping()) response.shouldKeepAlive = false;
    void serve(request, response);
  });
  // Without this callback express makes one for each request, with a 404 that no request gets.
  return (request, response) => app(request as Request, response as Response, () => response.destroy()); // Express adds what they lack.
}

/** Time for a client to read why it was refused; closing at once would lose the answer on its way. */
const lingerMs = 1_000;

const refused = new WeakSet<Socket>();

/**
 * Answers bytes that are no request, or that came too late, with an error, and closes the connection
 * whether the client reads the answer or not. An answer that is complete, and waits for its reader, goes first. Nothing is sent where
 * nothing was received, because a client that opened a connection for later would take the answer for that of its next request, and
 * where another answer has begun that is not complete. Further faults of the same connection change nothing.
 */
function refuseBytes(socket: Socket, error: StatusError): void {
  if (refused.has(socket)) return;
  const answer = responseUnderWay(socket);
  const isInterrupted = answer?.headersSent === true && !answer.writableEnded;
  if (!socket.writable || socket.bytesRead === 0 || isInterrupted) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const linger = (): void => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  // A reader has the time that every answer has, which the guard of connections measures.
  if (answer?.headersSent === true) socket.once('finish', linger);
  else linger();
  socket.end(clientErrorResponse(error));
}
