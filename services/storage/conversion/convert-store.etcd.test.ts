import { connectEtcd } from '../backends/etcd/connection.ts';
import { createEtcdStorage } from '../backends/etcd/etcd-storage.ts';
import { registerConversionTests } from '../test-drivers/conversion-tests.ts';
import { useSharedEtcd } from '../test-drivers/shared-etcd.ts';

const etcd = useSharedEtcd();
let stores = 0;
registerConversionTests('etcd', async () => {
  const connection = connectEtcd({ endpoints: [etcd().endpoint], prefix: `/conversion-${stores++}` });
  return {
    ...createEtcdStorage(connection),
    [Symbol.asyncDispose]: async () => connection[Symbol.dispose](),
  };
});
