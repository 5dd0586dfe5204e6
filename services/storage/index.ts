export type { EtcdOptions } from './backends/etcd/connection.ts';
export { storageFlags } from './config.ts';
export type { KafkaOptions } from './publisher/kafka-options.ts';
export {
  createStorageService,
  type LocalStorageService,
  type StorageBackend,
  type StorageServiceOptions,
} from './storage-service.ts';
