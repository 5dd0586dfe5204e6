import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findFreePort,
  type KafkaServer,
  type KafkaServerSecurity,
  type KafkaServerUser,
  startKafka,
} from '@binnacle/backends';
import { feedTopicFromName, type KafkaConnection, readFeedKeys } from '@binnacle/kafka';
import type { FeedKeys } from '@binnacle/kafka/testing';
import { createPki, pkiPaths } from '@binnacle/tls';

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

/** A Kafka that can be taken away and come back locked in another way, on the same port. */
export interface LockedKafka extends AsyncDisposable {
  readonly directory: string;
  /** Stops the server that runs, if any, and starts one with this lock; undefined: an open one. */
  lock(changes?: Partial<KafkaServerSecurity> | 'open', properties?: Record<string, string>): Promise<void>;
  /** Stops the server and removes its data. */
  forget(): Promise<void>;
  /** Ends the server as a crash does. */
  kill(): Promise<void>;
  /** How one of the users connects. */
  connectionOf(name: string, changes?: Partial<KafkaConnection>): KafkaConnection;
  /** TLS files that another authority issued. */
  readonly otherTls: KafkaServerSecurity['tls'];
  readonly tls: KafkaServerSecurity['tls'];
}

/** Prepares certificates of two authorities, and starts nothing yet. */
export async function prepareLockedKafka(): Promise<LockedKafka> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-locked-kafka-'));
  const [tls, otherTls] = [
    await tlsFiles(join(directory, 'pki')),
    await tlsFiles(join(directory, 'other-pki')),
  ];
  const port = await findFreePort();
  const ca = readFileSync(tls.caFile);
  let server: KafkaServer | undefined;
  const stop = async () => {
    await server?.[Symbol.asyncDispose]();
    server = undefined;
  };
  return {
    directory,
    tls,
    otherTls,
    async lock(changes = {}, properties = {}) {
      await stop();
      const security = changes === 'open' ? {} : { security: { tls, users, topic, ...changes } };
      server = await startKafka({ port, dataDirectory: join(directory, 'kafka'), properties, ...security });
    },
    async forget() {
      await stop();
      await rm(join(directory, 'kafka'), { recursive: true, force: true });
    },
    async kill() {
      await server?.kill();
    },
    connectionOf: (username, changes = {}) => ({
      brokers: [`127.0.0.1:${port}`],
      clientId: 'test',
      tls: { ca, identity: undefined },
      user: { mechanism: 'scram-sha-512', username, password: `${username}-password` },
      ...changes,
    }),
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function tlsFiles(directory: string): Promise<KafkaServerSecurity['tls']> {
  await createPki(directory, { services: ['kafka'] });
  const file = (name: string) => join(pkiPaths(directory).serviceDirectory('kafka'), name);
  return { caFile: file('ca.crt'), certFile: file('tls.crt'), keyFile: file('tls.key') };
}

/** A fresh feed key, as a line of a key file. */
export const newFeedKey = (): string => randomBytes(32).toString('base64');

/** Keys as they come from a file with these lines. */
export async function feedKeysOf(directory: string, lines: readonly string[]): Promise<FeedKeys> {
  const file = join(directory, `feed-keys-${randomBytes(4).toString('hex')}`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return await readFeedKeys(file);
}
