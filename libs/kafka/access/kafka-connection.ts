import type { ClientTls } from '@binnacle/backend-access';

/** The supported SASL mechanisms; neither sends the password over the connection. */
export const saslMechanisms = ['scram-sha-256', 'scram-sha-512'] as const;

/** A supported SASL mechanism. */
type SaslMechanism = (typeof saslMechanisms)[number];

/** The user that a connection authenticates as. */
export interface KafkaUser {
  readonly mechanism: SaslMechanism;
  readonly username: string;
  /** Reads the password, anew for each authentication where it is in a file. */
  password(): Promise<string>;
}

/** The access to Kafka brokers: addresses, TLS and user. */
export interface KafkaConnection {
  /** Bootstrap brokers, `host:port` each. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** TLS, with verification of each broker's name or address; default: plaintext. */
  readonly tls?: ClientTls | undefined;
  /** The SASL user; default: no SASL, the broker identifies the client by its certificate, if it has one. */
  readonly user?: KafkaUser | undefined;
  /** Receives the log messages of kafkajs about single attempts. */
  readonly log?: { debug(message: string, fields?: Record<string, unknown>): void } | undefined;
}
