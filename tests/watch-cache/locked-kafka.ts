import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KafkaServerSecurity, type KafkaServerUser, startKafka } from '@binnacle/backends';
import { feedTopicFromName, type KafkaConnection, readFeedKeys } from '@binnacle/kafka';
import type { FeedKeys } from '@binnacle/kafka/testing';
import { createPki, pkiPaths } from '@binnacle/tls';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';

/** The feed of the tests, as `--kafka-topic` names it. */
export const feed = 'changes';

/** The topic of that feed. */
export const topic = feedTopicFromName(feed);

/** Users with what each may do; the password of each is its name and `-password`. */
export const users: readonly KafkaServerUser[] = [
  { name: 'storage', password: 'storage-password', may: 'publish' },
  { name: 'gateway', password: 'gateway-password', may: 'read' },
  { name: 'stranger', password: 'stranger-password', may: 'publish' },
  { name: 'admin', password: 'admin-password', may: 'administer' },
];

/** A Kafka behind TLS that opens to its users alone. */
export interface LockedKafka extends AsyncDisposable {
  readonly directory: string;
  readonly tls: KafkaServerSecurity['tls'];
  /** How one of the users connects. */
  createConnection(name: string, changes?: Partial<KafkaConnection>): KafkaConnection;
}

/** Starts a locked Kafka, with certificates of an authority of its own. */
export async function startLockedKafka(): Promise<LockedKafka> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory()).path;
  const tls = await createTlsFiles(join(directory, 'pki'));
  const dataDirectory = join(directory, 'kafka');
  const { brokers } = stack.use(await startKafka({ dataDirectory, security: { tls, users, topic } }));
  const ca = readFileSync(tls.caFile);
  const started = stack.move();
  return {
    directory,
    tls,
    createConnection: (username, changes = {}) => ({
      brokers,
      clientId: 'test',
      tls: { ca, identity: undefined },
      user: { mechanism: 'scram-sha-512', username, password: async () => `${username}-password` },
      ...changes,
    }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Creates an authority, and a certificate of it for a Kafka of this machine. */
export async function createTlsFiles(directory: string): Promise<KafkaServerSecurity['tls']> {
  await createPki(directory, { services: ['kafka'] });
  const file = (name: string) => join(pkiPaths(directory).serviceDirectory('kafka'), name);
  return { caFile: file('ca.crt'), certFile: file('tls.crt'), keyFile: file('tls.key') };
}

/** A fresh feed key, as a line of a key file. */
export const newFeedKey = (): string => randomBytes(32).toString('base64');

/** Keys as they come from a file with these lines. */
export async function createFeedKeys(directory: string, lines: readonly string[]): Promise<FeedKeys> {
  const file = join(directory, `feed-keys-${randomBytes(4).toString('hex')}`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return await readFeedKeys(file);
}
