import { connectEtcd } from '../backends/etcd/connection.ts';
import { createEtcdStorage } from '../backends/etcd/etcd-storage.ts';
import { registerConversionTests } from '../test-drivers/conversion-tests.ts';
import { useSharedEtcd } from '../test-drivers/shared-etcd.ts';

const etcd = useSharedEtcd();
let stores = 0;
const create = async () => {
  const connection = connectEtcd({ endpoints: [etcd().endpoint], prefix: `/conversion-${stores++}` });
  return {
    ...createEtcdStorage(connection),
    [Symbol.asyncDispose]: async () => connection[Symbol.dispose](),
  };
};
// The embedded store is cut short at every point of the same conversion.
registerConversionTests('etcd', create, { pointsApart: 4 });
