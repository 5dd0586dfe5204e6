import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EtcdUser, RedisUser } from '@binnacle/backends';
import { feedTopicFromName } from '@binnacle/kafka';
import type { Pki, PkiBackend } from '@binnacle/tls';
import type { ServiceName } from './service-instances.ts';

/** The prefix of all keys in etcd: the default of storage's `--etcd-prefix`. */
export const etcdPrefix = '/binnacle';

/** The topic of the change feed: that of the default of `--kafka-topic`. */
export const feedTopic = feedTopicFromName('binnacle-changes');

/**
 * The backends, with the holders of client certificates of each. In etcd the common name `root` is the administrator;
 * storage's is no user, so that its certificate opens nothing without the password, nor the password without it.
 */
export const pkiBackends: readonly PkiBackend[] = [
  {
    name: 'etcd',
    members: ['etcd-1', 'etcd-2', 'etcd-3'],
    clients: [
      { name: 'administrator', commonName: 'root' },
      { name: 'storage', commonName: 'binnacle-storage-client' },
    ],
  },
  { name: 'kafka', members: ['kafka-1', 'kafka-2', 'kafka-3'], clients: [] },
  { name: 'redis', clients: [{ name: 'token-review', commonName: 'token-review' }] },
];

/** A user of Kafka and what it may do with the topic of the feed. */
interface FeedUser {
  readonly name: ServiceName;
  readonly may: 'publish' | 'read';
}

/** The services that touch the change feed: storage publishes, the others read. */
export const feedUsers: readonly FeedUser[] = [
  { name: 'storage', may: 'publish' },
  { name: 'gateway', may: 'read' },
  { name: 'admission', may: 'read' },
];

/** The files from which a service reaches a backend: `ca.crt`, `tls.crt` and `tls.key` where it has a certificate, `password`. */
export function backendFiles(directory: string) {
  return {
    caFile: join(directory, 'ca.crt'),
    certFile: join(directory, 'tls.crt'),
    keyFile: join(directory, 'tls.key'),
    passwordFile: join(directory, 'password'),
  };
}

/** The file with the keys that records of the change feed are encrypted with. */
export function feedKeyFile(pki: Pki): string {
  return join(pki.backendClientDirectory('feed', 'keys'), 'feed.key');
}

/** The users of every backend with their passwords. */
export interface BackendUsers {
  readonly etcd: readonly EtcdUser[];
  readonly kafka: readonly (FeedUser & { readonly password: string })[];
  readonly redis: readonly RedisUser[];
}

/** Makes what is missing of passwords and encryption keys, each readable by its owner alone, and names the users. */
export async function prepareBackendUsers(pki: Pki): Promise<BackendUsers> {
  const readPassword = (backend: string, user: string) =>
    secretIn(backendFiles(pki.backendClientDirectory(backend, user)).passwordFile, 'hex');
  const kafka = feedUsers.map(async user => {
    const { caFile } = backendFiles(pki.backendClientDirectory('kafka', user.name));
    const password = await readPassword('kafka', user.name);
    await copyFile(backendFiles(pki.backendServerDirectory('kafka')).caFile, caFile);
    return { ...user, password };
  });
  await secretIn(feedKeyFile(pki), 'base64');
  return {
    etcd: [{ name: 'storage', password: await readPassword('etcd', 'storage'), prefix: etcdPrefix }],
    kafka: await Promise.all(kafka),
    redis: [
      {
        name: 'token-review',
        password: await readPassword('redis', 'token-review'),
        keyPrefix: 'binnacle:token-review:',
        commands: ['get', 'set'],
      },
    ],
  };
}

/** The secret of a file, made from 32 random bytes where the file is missing. */
export async function secretIn(file: string, encoding: 'hex' | 'base64'): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString(encoding);
  try {
    await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    return (await readFile(file, 'utf8')).trimEnd();
  }
}
