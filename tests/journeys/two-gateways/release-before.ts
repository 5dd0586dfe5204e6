import { join } from 'node:path';
import { followClientTls } from '@binnacle/backend-access';
import { connectEtcd, createEtcdStorage } from '@binnacle/storage/testing';
import { pkiPaths } from '@binnacle/tls';
import { putRecords, readStore, type StoredRecord, unpackConverted } from '../../stored-objects/fixture.ts';
import { registerStoredObjectsTests } from '../../stored-objects/register-stored-objects-tests.ts';
import { createTemporaryDirectory } from '../setup/temporary-directory.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Objects that the release before stored, in etcd: keys and values are those of the embedded store. */
export function registerReleaseBeforeJourney(gateways: () => TwoGateways): void {
  registerStoredObjectsTests('objects of the release before in etcd', async () => {
    await using directory = await createTemporaryDirectory();
    await unpackConverted(directory.path);
    const records = await readStore(directory.path);
    await writeToEtcd(gateways(), records);
    return { server: gateways().server, records };
  });
}

/** As storage would; what is there already stays. */
async function writeToEtcd({ server, form }: TwoGateways, records: readonly StoredRecord[]): Promise<void> {
  const directory = pkiPaths(join(server.dataDirectory, 'pki')).backendClientDirectory('etcd', 'storage');
  const file = (name: string) => join(directory, name);
  const tls = await followClientTls('etcd', {
    caFile: file('ca.crt'),
    certFile: file('tls.crt'),
    keyFile: file('tls.key'),
  });
  using connection = connectEtcd({
    endpoints: [form.etcd.endpoint],
    prefix: '/binnacle',
    ...(tls && { tls }),
    user: { name: 'storage', passwordFile: file('password') },
  });
  await putRecords(createEtcdStorage(connection), records);
}
