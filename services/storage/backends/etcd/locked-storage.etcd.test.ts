import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { useLockedEtcd } from '../../test-drivers/locked-etcd.ts';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

// The shortest life of a token: a second after its last use.
const etcd = useLockedEtcd('--auth-token-ttl=1');
let prefixes = 0;

// By certificate, and over gRPC, the suite is run in storage-over-rpc.etcd.test.ts.
registerStorageContractTests('locked etcd, by password', async () => {
  // Below the prefix of the users, where their rights end.
  const connection = connectEtcd(await etcd().withPassword(`/${prefixes++}`));
  return {
    storage: createEtcdStorage(connection),
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
    },
  };
});
