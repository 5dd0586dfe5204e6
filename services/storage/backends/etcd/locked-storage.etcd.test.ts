import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { useLockedEtcd } from '../../test-drivers/locked-etcd.ts';
import { connectEtcd } from './connection.ts';
import type { EtcdOptions } from './etcd-options.ts';
import { createEtcdStorage } from './etcd-storage.ts';

// The shortest life of a token: a second after its last use.
const etcd = useLockedEtcd('--auth-token-ttl=1');
let prefixes = 0;

const ways: readonly (readonly [name: string, options: (prefix: string) => Promise<EtcdOptions>])[] = [
  ['locked etcd, by password', prefix => etcd().withPassword(prefix)],
  ['locked etcd, by certificate', prefix => etcd().withCertificate(prefix)],
];
for (const [name, optionsFor] of ways) {
  registerStorageContractTests(name, async () => {
    // Below the prefix of the users, where their rights end.
    const connection = connectEtcd(await optionsFor(`/${prefixes++}`));
    return {
      storage: createEtcdStorage(connection),
      async [Symbol.asyncDispose]() {
        connection[Symbol.dispose]();
      },
    };
  });
}
