import { after, before } from 'node:test';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { connectEtcd } from '../backends/etcd/connection.ts';
import { createEtcdStorage } from '../backends/etcd/etcd-storage.ts';
import { registerConversionTests } from '../test-drivers/conversion-tests.ts';

let etcd: EtcdServer;
let stores = 0;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

registerConversionTests('etcd', async () => {
  const connection = connectEtcd({ endpoints: [etcd.endpoint], prefix: `/conversion-${stores++}` });
  return {
    ...createEtcdStorage(connection),
    [Symbol.asyncDispose]: async () => connection[Symbol.dispose](),
  };
});
