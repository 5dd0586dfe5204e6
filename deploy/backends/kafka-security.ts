import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectTopicAdministration, type KafkaConnection } from '@binnacle/kafka';

/** A user of a locked Kafka that authenticates with SCRAM-SHA-256 or SCRAM-SHA-512. */
export interface KafkaServerUser {
  readonly name: string;
  readonly password: string;
  /**
   * `publish`: create, alter, describe, write and read the topic. `read`: describe and read the topic. `administer`:
   * everything.
   */
  readonly may: 'publish' | 'read' | 'administer';
}

/** The security of a Kafka server: TLS and SCRAM for every client, and nothing allowed beyond what users may do. */
export interface KafkaServerSecurity {
  /** PEM files: the authority of brokers and clients, the certificate for 127.0.0.1, and its key as PKCS #8. */
  readonly tls: { readonly caFile: string; readonly certFile: string; readonly keyFile: string };
  /** Names are of letters, digits, `-` and `_`. */
  readonly users: readonly KafkaServerUser[];
  /** The topic that users may publish or read. */
  readonly topic: string;
  /** The password of brokers towards each other, the same for all of a cluster; default: one made for this data directory. */
  readonly brokerPassword?: string;
}

/** The options that a data directory was formatted for; a new user or a withdrawn right needs a new format. */
export interface FormattedFor {
  /** The password of the broker itself, towards its controller and other brokers. */
  readonly brokerPassword: string;
  /** Digest of the users, their passwords and rights. */
  readonly users: string;
}

const brokerUser = 'binnacle-broker';
const stampName = 'formatted-for.json';

/**
 * Reads what the data directory is formatted for. Data of other users, or of an open server, is removed: the topic of
 * the change feed can be lost at any time, its readers list again.
 */
export function prepareSecuredData(
  dataDirectory: string,
  { users, topic, brokerPassword }: KafkaServerSecurity,
): FormattedFor {
  for (const { name } of users)
    if (!/^[\w-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} cannot be a user of Kafka`);
  const file = join(dataDirectory, stampName);
  const digest = createHash('sha256').update(JSON.stringify({ users, topic, brokerPassword })).digest('hex');
  const present = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FormattedFor) : undefined; // Written below.
  if (present?.users === digest) return present;
  rmSync(join(dataDirectory, 'kafka'), { recursive: true, force: true });
  const formatted = { brokerPassword: brokerPassword ?? randomBytes(24).toString('hex'), users: digest };
  writeFileSync(file, JSON.stringify(formatted), { mode: 0o600 });
  return formatted;
}

/**
 * The properties of a locked server, with its PEM key store in the data directory. Clients, other brokers and the
 * controller are each behind TLS and SASL: SCRAM for the first two, and for the controller, which has to answer before
 * any SCRAM user can be read, one account of the broker alone.
 */
export function securityProperties(
  security: KafkaServerSecurity,
  { brokerPassword }: FormattedFor,
  dataDirectory: string,
): Record<string, string> {
  const keyStore = join(dataDirectory, 'broker.pem');
  const { caFile, certFile, keyFile } = security.tls;
  writeFileSync(keyStore, `${readFileSync(keyFile, 'utf8')}\n${readFileSync(certFile, 'utf8')}`, {
    mode: 0o600,
  });
  const administrators = security.users.filter(({ may }) => may === 'administer').map(({ name }) => name);
  const credentials = `username="${brokerUser}" password="${brokerPassword}"`;
  const scramLogin = `org.apache.kafka.common.security.scram.ScramLoginModule required ${credentials};`;
  const plainLogin = `org.apache.kafka.common.security.plain.PlainLoginModule required ${credentials}`;
  return {
    'listener.security.protocol.map': 'CLIENTS:SASL_SSL,CONTROLLER:SASL_SSL',
    'inter.broker.listener.name': 'CLIENTS',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keyStore,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': caFile,
    'sasl.mechanism.inter.broker.protocol': 'SCRAM-SHA-512',
    'listener.name.clients.sasl.enabled.mechanisms': 'SCRAM-SHA-256,SCRAM-SHA-512',
    'listener.name.clients.scram-sha-256.sasl.jaas.config': scramLogin,
    'listener.name.clients.scram-sha-512.sasl.jaas.config': scramLogin,
    'sasl.mechanism.controller.protocol': 'PLAIN',
    'listener.name.controller.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.controller.plain.sasl.jaas.config': `${plainLogin} user_${brokerUser}="${brokerPassword}";`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'allow.everyone.if.no.acl.found': 'false',
    'super.users': [brokerUser, ...administrators].map(name => `User:${name}`).join(';'),
  };
}

/** The arguments of the storage tool that add the users; passwords are not among them but in a file that it reads. */
export function scramArguments(
  { users }: KafkaServerSecurity,
  { brokerPassword }: FormattedFor,
  dataDirectory: string,
): { readonly arguments: readonly string[]; remove(): void } {
  const file = join(dataDirectory, 'scram-users');
  const all = [{ name: brokerUser, password: brokerPassword }, ...users];
  const lines = all.flatMap(({ name, password }) =>
    ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap(mechanism => [
      '--add-scram',
      `${mechanism}=[name=${name},password=${password}]`,
    ]),
  );
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
  return { arguments: [`@${file}`], remove: () => rmSync(file, { force: true }) };
}

/** Connects as the broker's own user and says whether the server is live; then adds the rules of the users. */
export async function openToUsers(
  address: string,
  security: KafkaServerSecurity,
  { brokerPassword }: FormattedFor,
): Promise<boolean> {
  const { caFile, certFile, keyFile } = security.tls;
  const connection: KafkaConnection = {
    brokers: [address],
    clientId: 'binnacle-backends',
    // The broker's own certificate, should it be set to ask for one.
    tls: {
      ca: readFileSync(caFile),
      identity: { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    },
    user: { mechanism: 'scram-sha-512', username: brokerUser, password: async () => brokerPassword },
  };
  await using administration = await connectTopicAdministration(connection);
  if ((await administration.liveBrokers()) === 0) return false;
  const grants = security.users.flatMap(({ name, may }) =>
    may === 'administer' ? [] : [{ user: name, topic: security.topic, may }],
  );
  if (grants.length > 0) await administration.grant(grants);
  return true;
}
