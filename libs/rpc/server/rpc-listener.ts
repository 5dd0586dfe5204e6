import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import {
  ConnectionGuard,
  createConnectionMetrics,
  fitConnections,
  listen,
  noConnectionMetrics,
  readDescriptorLimit,
} from '@binnacle/connections';
import { settingName } from '@binnacle/flags';
import type { Metrics } from '@binnacle/telemetry';
import type { TransportSecurity } from '../protocol/transport-security.ts';

/** Where connections are accepted, and how many. */
type RpcListenerOptions = TransportSecurity & {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The longest that a TLS handshake may take, in ms; default: 10 s. */
  readonly handshakeTimeoutMs?: number;
  /** Connections at a time; default: 4096. Fewer where the limit on open files leaves no room for them. */
  readonly maxConnections?: number;
  readonly metrics?: Metrics;
};

/** Accepts connections for a gRPC server, with bounds that grpc-js does not have. */
export interface RpcListener {
  readonly port: number;
  /** Accepts no more, and ends connections that have not said anything; resolves when none is left. */
  stopAccepting(): Promise<void>;
  /** Ends every connection. */
  closeAll(): void;
}

const usualHandshakeTimeoutMs = 10_000;
const usualMaxConnections = 4096;
const maxTlsHandshakes = 256;
/** Streams over HTTP/2 have keepalive of their own. */
const never = Number.POSITIVE_INFINITY;

/** Listens; every connection whose handshake is done goes to `accept`. Rejects when the address cannot be had. */
export async function listenForRpc(
  options: RpcListenerOptions,
  accept: (connection: Socket) => void,
): Promise<RpcListener> {
  const handshakeTimeoutMs = options.handshakeTimeoutMs ?? usualHandshakeTimeoutMs;
  const server = serverFor(options, handshakeTimeoutMs, connection => {
    // The HTTP/2 session hears of it too, once there is one.
    connection.on('error', () => {});
    accept(connection);
  });
  const guard = new ConnectionGuard(server, {
    limits: {
      maxConnections: fitConnections(options.maxConnections ?? usualMaxConnections, readDescriptorLimit()),
      maxConnectionsPerAddress: 0,
      maxTlsHandshakes,
    },
    handshakeTimeoutMs,
    stallTimeouts: { bodyMs: never, answerMs: never },
    hasIdleConnections: false,
    metrics: options.metrics ? createConnectionMetrics(options.metrics, 'grpc') : noConnectionMetrics,
  });
  const closed = Promise.withResolvers<void>();
  const { host } = options;
  const settings = { host: settingName('host'), port: settingName('port') };
  const port = await listen(server, { host, port: options.port, settings });
  return {
    port,
    stopAccepting() {
      server.close(() => closed.resolve());
      guard.startStopping();
      return closed.promise.finally(() => guard[Symbol.dispose]());
    },
    closeAll: () => guard.closeAll(),
  };
}

function serverFor(
  { tls }: TransportSecurity,
  handshakeTimeoutMs: number,
  accept: (connection: Socket) => void,
): Server {
  if (!tls) return createTcpServer({ noDelay: true }, accept);
  const { ca, cert, key } = tls;
  const options = { ca, cert, key, requestCert: true, rejectUnauthorized: true, noDelay: true };
  return createTlsServer({ ...options, handshakeTimeout: handshakeTimeoutMs, ALPNProtocols: ['h2'] }, accept);
}
