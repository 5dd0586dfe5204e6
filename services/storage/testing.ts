/** Storage for tests of other packages, besides index.ts. */

export { openEmbeddedStorage } from './backends/embedded/embedded-storage.ts';
export { connectEtcd } from './backends/etcd/connection.ts';
export { createEtcdStorage } from './backends/etcd/etcd-storage.ts';
export { conversionFlags } from './convert-names.ts';
export { KmsPlugin } from './encryption/kms/test-drivers/kms-plugin.ts';
export { makeSocketFolder } from './encryption/kms/test-drivers/socket-folder.ts';
export type { LocalStorageService } from './storage-service.ts';
export { lockedPrefix, useLockedEtcd } from './test-drivers/locked-etcd.ts';
