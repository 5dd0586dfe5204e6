import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { ISocketFactoryArgs, KafkaConfig, LogEntry, logLevel } from 'kafkajs';
import { stopIdlePolling } from '../kafkajs/stop-idle-polling.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { scramMechanism } from './scram-mechanism.ts';

/** Milliseconds for a connection, with its TLS handshake, and for an authentication. */
const connectTimeoutMs = 3000;

/** Milliseconds after which a broker that does not answer is given up. */
const requestTimeoutMs = 5000;

const keepAliveMs = 60_000;

/** The settings of kafkajs for a connection; clients fail soon, for their callers start again from the beginning. */
export function kafkaSettings(connection: KafkaConnection) {
  stopIdlePolling();
  const { brokers, clientId, tls, user } = connection;
  return {
    brokers: [...brokers],
    clientId,
    ...(tls === undefined ? {} : { ssl: tlsOptions(tls) }),
    ...(user === undefined ? {} : { sasl: scramMechanism(user) }),
    socketFactory: openSocket,
    connectionTimeout: connectTimeoutMs,
    authenticationTimeout: connectTimeoutMs,
    reauthenticationThreshold: 10_000,
    requestTimeout: requestTimeoutMs,
    enforceRequestTimeout: true,
  } satisfies Partial<KafkaConfig>;
}

/** The TLS options of a connection to a broker. */
export function tlsOptions({ ca, identity }: NonNullable<KafkaConnection['tls']>): ConnectionOptions {
  return { ca, minVersion: 'TLSv1.2', ...(identity ?? {}) };
}

/** Passes on what kafkajs logs: what it calls an error is one attempt of several, the failure itself is thrown. */
export function createLogCreator({ log }: KafkaConnection): (level: logLevel) => (entry: LogEntry) => void {
  return () =>
    ({ namespace, log: { message, error } }) =>
      log?.debug(`kafka: ${message}`, { namespace, error });
}

/**
 * Opens a socket to a broker. Node compares the certificate with `servername`, or with `host` where there is none: an
 * address must be in the certificate as an address.
 */
function openSocket({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = ssl
    ? connectTls({ host, port, ...name, ...ssl }, onConnect)
    : connectTcp({ host, port }, onConnect);
  socket.setKeepAlive(true, keepAliveMs);
  // kafkajs ends a socket whose handshake takes too long, which leaves it open until the broker closes it.
  const overdue = setTimeout(() => socket.destroy(), connectTimeoutMs + 1000).unref();
  const settle = () => clearTimeout(overdue);
  socket.once(ssl ? 'secureConnect' : 'connect', settle);
  socket.once('close', settle);
  return socket;
}
