import { readFile } from 'node:fs/promises';
import { readSecretFile } from '@binnacle/backend-access';
import { ensureEtcdUsers } from '@binnacle/backends';
import { parseProgramFlags, stringFlag } from '@binnacle/flags';
import { connectTopicAdministration } from '@binnacle/kafka';
import { type Pki, pkiPaths } from '@binnacle/tls';
import { backendFiles, etcdPrefix, feedTopic, feedUsers } from './backend-users.ts';
import { kafkaAdministrator, kafkaAdministratorDirectory } from './container-backends.ts';

const flags = {
  directory: stringFlag({
    description: 'Folder with the certificates and passwords that create-certificates.ts made.',
    default: '/var/lib/binnacle',
  }),
  etcd: stringFlag({ description: 'Address of etcd.', default: 'https://etcd:2379' }),
  kafka: stringFlag({ description: 'Addresses of brokers, separated by commas.', default: 'kafka:9092' }),
};

/**
 * Locks etcd and Kafka to their users, from the folders that `create-certificates.ts` filled: users, roles and
 * authentication of etcd, access rules of Kafka. Does nothing that is done already.
 */
async function main(): Promise<void> {
  const { directory, etcd, kafka } = parseProgramFlags(flags);
  const pki = pkiPaths(`${directory}/pki`);
  await lockEtcd(pki, etcd);
  await lockKafka(pki, kafka);
}

async function lockEtcd(pki: Pki, endpoint: string): Promise<void> {
  const { passwordFile } = backendFiles(pki.backendClientDirectory('etcd', 'storage'));
  const password = await readSecretFile(passwordFile);
  await ensureEtcdUsers({
    endpoint,
    administrator: backendFiles(pki.backendClientDirectory('etcd', 'administrator')),
    users: [{ name: 'storage', password, prefix: etcdPrefix }],
  });
}

async function lockKafka(pki: Pki, brokers: string): Promise<void> {
  const { caFile, passwordFile } = backendFiles(kafkaAdministratorDirectory(pki));
  await using administration = await connectTopicAdministration({
    brokers: brokers.split(','),
    clientId: 'binnacle-administrator',
    tls: { ca: await readFile(caFile), identity: undefined },
    user: {
      mechanism: 'scram-sha-512',
      username: kafkaAdministrator,
      password: () => readSecretFile(passwordFile),
    },
  });
  await administration.grant(feedUsers.map(({ name, may }) => ({ user: name, topic: feedTopic, may })));
}

await main();
