import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kafkaSecurityProperties, kafkaUserArguments, redisAccessRules } from '@binnacle/backends';
import type { Pki } from '@binnacle/tls';
import { type BackendUsers, backendFiles, feedTopic, secretIn } from './backend-users.ts';

/** The user of Kafka that adds the access rules of the others. */
export const kafkaAdministrator = 'administrator';

/** The name of the folder with the password of that user, below the folder of Kafka. */
export const kafkaAdministratorDirectory = (pki: Pki): string =>
  pki.backendClientDirectory('kafka', kafkaAdministrator);

/**
 * Writes what the containers of Redis and Kafka are started with into the folders of their certificates: the users of
 * Redis, the properties, key store and users of Kafka. The containers mount the folders at the same paths.
 */
export async function writeContainerBackends(pki: Pki, users: BackendUsers): Promise<void> {
  await writeOwned(join(pki.backendServerDirectory('redis'), 'users.acl'), redisAccessRules(users.redis));
  await writeKafka(pki, users.kafka);
}

async function writeKafka(pki: Pki, users: BackendUsers['kafka']): Promise<void> {
  const directory = pki.backendServerDirectory('kafka');
  const tls = backendFiles(directory);
  const brokerPassword = await secretIn(join(directory, 'broker-password'), 'hex');
  const { caFile, passwordFile } = backendFiles(kafkaAdministratorDirectory(pki));
  const password = await secretIn(passwordFile, 'hex');
  await copyFile(tls.caFile, caFile);
  const administrator = { name: kafkaAdministrator, password, may: 'administer' as const };
  const security = { tls, users: [...users, administrator], topic: feedTopic };
  const formattedFor = { brokerPassword, users: '' };
  const properties = {
    ...containerProperties,
    ...kafkaSecurityProperties(security, formattedFor, directory),
  };
  await writeOwned(
    join(directory, 'server.properties'),
    propertiesText({ ...properties, ...createBrokerProperties(['kafka'], 1) }),
  );
  for (const number of [1, 2, 3]) {
    const file = join(directory, `server-${number}.properties`);
    await writeOwned(
      file,
      propertiesText({ ...properties, ...createBrokerProperties(['kafka-1', 'kafka-2', 'kafka-3'], number) }),
    );
  }
  // The file stays: the container formats its volume with it at its first start.
  kafkaUserArguments(security, formattedFor, directory);
  await writeOwned(
    join(directory, 'health.properties'),
    propertiesText(healthProperties(tls.caFile, password)),
  );
}

/** The properties of one of these brokers, by its number from 1; a broker alone shows its controller to itself only. */
function createBrokerProperties(hosts: readonly string[], number: number): Record<string, string> {
  const isAlone = hosts.length === 1;
  const [replicas, inSync, controllerHost] = isAlone ? ['1', '1', '127.0.0.1'] : ['3', '2', '0.0.0.0'];
  const voters = isAlone ? ['127.0.0.1'] : hosts;
  return {
    'node.id': String(number),
    'controller.quorum.voters': voters.map((host, index) => `${index + 1}@${host}:9093`).join(','),
    listeners: `CLIENTS://0.0.0.0:9092,CONTROLLER://${controllerHost}:9093`,
    'advertised.listeners': `CLIENTS://${hosts[number - 1]}:9092`,
    'offsets.topic.replication.factor': replicas,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
  };
}

/** The properties of every broker, apart from its place among others and from those that lock it. */
const containerProperties = {
  'process.roles': 'broker,controller',
  'controller.listener.names': 'CONTROLLER',
  'log.dirs': '/var/lib/kafka/data',
  'auto.create.topics.enable': 'false',
  'message.max.bytes': '8388608',
  'replica.fetch.max.bytes': '8388608',
  'group.initial.rebalance.delay.ms': '0',
};

/** The connection properties of the container's health check. */
function healthProperties(caFile: string, password: string): Record<string, string> {
  const login = 'org.apache.kafka.common.security.scram.ScramLoginModule';
  return {
    'security.protocol': 'SASL_SSL',
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': caFile,
    'sasl.mechanism': 'SCRAM-SHA-512',
    'sasl.jaas.config': `${login} required username="${kafkaAdministrator}" password="${password}";`,
  };
}

function propertiesText(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function writeOwned(file: string, text: string): Promise<void> {
  return writeFile(file, text, { mode: 0o600 });
}
