import { useSharedEtcd } from '../test-drivers/shared-etcd.ts';
import { placeEmbedded, placeInEtcd } from './test-drivers/placed-stores.ts';
import { registerRestoreTests } from './test-drivers/restore-tests.ts';

const etcd = useSharedEtcd();
const inEtcd = () => placeInEtcd(etcd().endpoint);

registerRestoreTests('etcd to etcd', inEtcd, inEtcd);
registerRestoreTests('etcd to embedded', inEtcd, placeEmbedded);
registerRestoreTests('embedded to etcd', placeEmbedded, inEtcd);
