export type { BackendOptions, ClusterMember } from './backend-server.ts';
export {
  type EtcdOptions,
  type EtcdServer,
  etcdQuotaBytes,
  startEtcd,
} from './etcd.ts';
export { type EtcdUser, ensureEtcdUsers } from './etcd-users.ts';
export { findFreePort, findFreePorts } from './free-port.ts';
export { freezeProcess } from './freeze-process.ts';
export { installBackends } from './install-backends.ts';
export { withInstallLock } from './install-lock.ts';
export { type KafkaOptions, type KafkaServer, startKafka } from './kafka.ts';
export type { KafkaServerSecurity, KafkaServerUser } from './kafka-security.ts';
export {
  scramArguments as kafkaUserArguments,
  securityProperties as kafkaSecurityProperties,
} from './kafka-security.ts';
export { backendsDirectory, executableOnPath, kafkaLibraryDirectory, kubectlFile } from './locations.ts';
export {
  type ManagedProcess,
  type ManagedProcessOptions,
  startManagedProcess,
} from './managed-process.ts';
export { PeerLinks } from './peer-links.ts';
export { pollUntil } from './poll-until.ts';
export { type RedisOptions, type RedisServer, startRedis } from './redis.ts';
export { type RedisUser, redisAccessRules } from './redis-access-rules.ts';
export { runCommand } from './run-command.ts';
