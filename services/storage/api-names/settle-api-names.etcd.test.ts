import { connectEtcd } from '../backends/etcd/connection.ts';
import { createEtcdStorage } from '../backends/etcd/etcd-storage.ts';
import { registerApiNamesTests } from '../test-drivers/api-names-tests.ts';
import { useSharedEtcd } from '../test-drivers/shared-etcd.ts';

const etcd = useSharedEtcd();
let stores = 0;
registerApiNamesTests('etcd', async () => {
  const connection = connectEtcd({ endpoints: [etcd().endpoint], prefix: `/names-${stores++}` });
  return {
    ...createEtcdStorage(connection),
    [Symbol.asyncDispose]: async () => connection[Symbol.dispose](),
  };
});
