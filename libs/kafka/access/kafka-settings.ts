import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { latestTlsOptions } from '@binnacle/backend-access';
import type { ISocketFactoryArgs, KafkaConfig, LogEntry, logLevel } from 'kafkajs';
import { stopIdlePolling } from '../kafkajs/stop-idle-polling.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { scramMechanism } from './scram-mechanism.ts';

/** Timeout of connecting, with the TLS handshake, and of authentication, in ms. */
const connectTimeoutMs = 3000;

/**
 * Timeout of the TCP connection alone, in ms: one retransmission fits in. The kernel of a frozen broker drops SYNs once its accept
 * queue is full, and the client's kernel retransmits them after 1, 3 and 7 s; a new connection finds the broker sooner.
 */
const tcpConnectTimeoutMs = 1200;

/** Timeout of a request, in ms. */
const requestTimeoutMs = 5000;

const keepAliveMs = 60_000;

/** Returns the kafkajs settings of a connection; timeouts are short, because callers reconnect after a failure. */
export function kafkaSettings(connection: KafkaConnection) {
  stopIdlePolling();
  const { brokers, clientId, tls, user } = connection;
  return {
    brokers: [...brokers],
    clientId,
    ...(tls === undefined ? {} : { ssl: latestTlsOptions(tls) }),
    ...(user === undefined ? {} : { sasl: scramMechanism(user) }),
    socketFactory: openSocket,
    connectionTimeout: connectTimeoutMs,
    authenticationTimeout: connectTimeoutMs,
    reauthenticationThreshold: 10_000,
    requestTimeout: requestTimeoutMs,
    enforceRequestTimeout: true,
  } satisfies Partial<KafkaConfig>;
}

/** Forwards the log messages of kafkajs at debug level: its errors are single attempts, the final failure is thrown. */
export function createLogCreator({ log }: KafkaConnection): (level: logLevel) => (entry: LogEntry) => void {
  return () =>
    ({ namespace, log: { message, error } }) =>
      log?.debug(`kafka: ${message}`, { namespace, error });
}

/**
 * Opens a socket to a broker, with the TLS files of this moment. Node verifies the certificate against `servername`, or
 * against `host` if that is an IP address, which the certificate must then contain.
 */
function openSocket({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = ssl
    ? connectTls({ host, port, ...name, ...ssl }, onConnect)
    : connectTcp({ host, port }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  // kafkajs only half-closes a socket whose handshake times out, so it would stay open until the broker closes it.
  const overdue = setTimeout(() => socket.destroy(), connectTimeoutMs + 1000).unref();
  const unanswered = setTimeout(
    () => socket.destroy(new Error(`no TCP connection to ${host}:${port} within ${tcpConnectTimeoutMs} ms`)),
    tcpConnectTimeoutMs,
  ).unref();
  socket.once('connect', () => clearTimeout(unanswered));
  socket.once(ssl ? 'secureConnect' : 'connect', () => clearTimeout(overdue));
  socket.once('close', () => {
    clearTimeout(unanswered);
    clearTimeout(overdue);
  });
  return socket;
}
