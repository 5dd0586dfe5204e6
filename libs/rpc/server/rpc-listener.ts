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

/** Options of a listener. */
type RpcListenerOptions = TransportSecurity & {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Maximum duration of a TLS handshake, in ms; default: 10,000. */
  readonly handshakeTimeoutMs?: number;
  /** Maximum number of open connections; default: 4,096, or fewer if the limit of open files is lower. */
  readonly maxConnections?: number;
  readonly metrics?: Metrics;
};

/** Accepts connections for a gRPC server, with limits that grpc-js does not have. */
export interface RpcListener {
  readonly port: number;
  /** Accepts no more connections and closes those on which nothing was received; resolves when none is left. */
  stopAccepting(): Promise<void>;
  /** Closes every connection. */
  closeAll(): void;
}

const usualHandshakeTimeoutMs = 10_000;
const usualMaxConnections = 4096;
const maxTlsHandshakes = 256;
/** HTTP/2 streams need no stall timeout: gRPC has its own keepalive. */
const never = Number.POSITIVE_INFINITY;

/** Listens, and passes every connection to `accept` after its TLS handshake. Rejects if it cannot bind to the address. */
export async function listenForRpc(
  options: RpcListenerOptions,
  accept: (connection: Socket) => void,
): Promise<RpcListener> {
  const handshakeTimeoutMs = options.handshakeTimeoutMs ?? usualHandshakeTimeoutMs;
  const server = serverFor(options, handshakeTimeoutMs, connection => {
    // The HTTP/2 session handles the error as well, once it exists.
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
  const server = createTlsServer(
    { ...options, handshakeTimeout: handshakeTimeoutMs, ALPNProtocols: ['h2'] },
    accept,
  );
  // Connections that begin later have the new ones; older ones end when they reach their maximum age.
  tls.onChange?.(() => server.setSecureContext({ ca: tls.ca, cert: tls.cert, key: tls.key }));
  return server;
}
