import type { EtcdOptions, KafkaOptions, RedisOptions } from '@binnacle/backends';
import { backendFiles, feedTopic } from './backend-users.ts';
import type { Credentials } from './credentials.ts';

/** How each local backend is locked: its own authority, TLS, and its users with what they need. */
interface BackendSecurity {
  readonly etcd: NonNullable<EtcdOptions['security']>;
  readonly kafka: NonNullable<KafkaOptions['security']>;
  readonly redis: NonNullable<RedisOptions['security']>;
}

/**
 * Locks the local backends with the certificates and passwords of one distributed form; several brokers of Kafka need a
 * password of their own.
 */
export function backendSecurity(
  { pki, backendUsers }: Credentials,
  brokerPassword?: string,
): BackendSecurity {
  const server = (backend: string) => backendFiles(pki.backendServerDirectory(backend));
  return {
    etcd: {
      tls: server('etcd'),
      administrator: backendFiles(pki.backendClientDirectory('etcd', 'administrator')),
      users: backendUsers.etcd,
    },
    kafka: {
      tls: server('kafka'),
      users: backendUsers.kafka,
      topic: feedTopic,
      ...(brokerPassword === undefined ? {} : { brokerPassword }),
    },
    redis: { tls: server('redis'), users: backendUsers.redis },
  };
}
