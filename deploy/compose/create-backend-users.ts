import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readSecretFile } from '@binnacle/backend-access';
import { ensureEtcdUsers } from '@binnacle/backends';
import { connectTopicAdministration } from '@binnacle/kafka';
import { type Pki, pkiPaths } from '@binnacle/service-kit';
import { backendFiles, etcdPrefix, feedTopic, feedUsers } from './backend-users.ts';
import { kafkaAdministrator, kafkaAdministratorDirectory } from './container-backends.ts';

/**
 * Locks etcd and Kafka to their users, from the folders that `create-certificates.ts` filled: users, roles and
 * authentication of etcd, access rules of Kafka. Does nothing that is done already.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      directory: { type: 'string', default: '/var/lib/binnacle' },
      etcd: { type: 'string', default: 'https://etcd:2379' },
      kafka: { type: 'string', default: 'kafka:9092' },
    },
  });
  const pki = pkiPaths(`${values.directory}/pki`);
  await lockEtcd(pki, values.etcd);
  await lockKafka(pki, values.kafka);
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
      password: await readSecretFile(passwordFile),
    },
  });
  await administration.grant(feedUsers.map(({ name, may }) => ({ user: name, topic: feedTopic, may })));
}

await main();
