import type { ClientTls } from '@binnacle/backend-access';

/** The SASL mechanisms that are offered: the password itself never goes over the connection. */
export const saslMechanisms = ['scram-sha-256', 'scram-sha-512'] as const;

/** One of them. */
type SaslMechanism = (typeof saslMechanisms)[number];

/** The user that a connection authenticates as. */
export interface KafkaUser {
  readonly mechanism: SaslMechanism;
  readonly username: string;
  readonly password: string;
}

/** How the brokers of Kafka are reached, and as whom. */
export interface KafkaConnection {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** TLS with a check of each broker's name or address against its certificate; default: plaintext. */
  readonly tls?: ClientTls | undefined;
  /** Default: no SASL; the broker knows the client by its certificate, if at all. */
  readonly user?: KafkaUser | undefined;
  /** Receives what kafkajs logs about single attempts. */
  readonly log?: { debug(message: string, fields?: Record<string, unknown>): void } | undefined;
}
