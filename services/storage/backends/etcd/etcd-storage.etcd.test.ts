import { after, before } from 'node:test';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

let etcd: EtcdServer;
let prefixes = 0;

before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

registerStorageContractTests('etcd', async () => {
  const connection = connectEtcd({ endpoints: [etcd.endpoint], prefix: `/test-${prefixes++}` });
  return {
    storage: createEtcdStorage(connection),
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
    },
  };
});
