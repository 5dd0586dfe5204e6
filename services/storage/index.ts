export type { EtcdOptions } from './backends/etcd/connection.ts';
export type { KafkaOptions } from './publisher/kafka-client.ts';
export {
  createStorageService,
  type LocalStorageService,
  type StorageBackend,
  type StorageServiceOptions,
} from './storage-service.ts';
