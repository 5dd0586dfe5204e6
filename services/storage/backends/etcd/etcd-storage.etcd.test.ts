import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { useSharedEtcd } from '../../test-drivers/shared-etcd.ts';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

const etcd = useSharedEtcd();
let prefixes = 0;

registerStorageContractTests('etcd', async () => {
  const connection = connectEtcd({ endpoints: [etcd().endpoint], prefix: `/test-${prefixes++}` });
  return {
    storage: createEtcdStorage(connection),
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
    },
  };
});
