import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { followClientTls } from '@binnacle/backend-access';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { createPki, type Pki } from '@binnacle/tls';
import { Etcd3 } from 'etcd3';
import type { EtcdOptions } from '../backends/etcd/etcd-options.ts';

/** An etcd for tests with TLS, client certificates and authentication, and the ways in. */
interface LockedEtcd extends AsyncDisposable {
  readonly server: EtcdServer;
  readonly pki: Pki;
  /** Holds the password of the user `storage`. */
  readonly passwordFile: string;
  /** The TLS files of a client: `storage` has a certificate that is no user, `by-certificate` one that is. */
  findFiles(client: string): { caFile: string; certFile: string; keyFile: string };
  /** The way in with a certificate and the password. */
  withPassword(prefix: string): Promise<EtcdOptions>;
  /** The way in with a certificate that names the user. */
  withCertificate(prefix: string): Promise<EtcdOptions>;
  /** Does something as root. */
  asRoot<T>(work: (etcd: Etcd3) => Promise<T>): Promise<T>;
}

/** The prefix below which the users of a locked etcd have their rights. */
export const lockedPrefix = '/locked';

/** Starts a locked etcd before the tests of a file and stops it after them; the arguments are appended to etcd's own. */
export function useLockedEtcd(...args: string[]): () => LockedEtcd {
  let etcd: LockedEtcd | undefined;
  before(async () => {
    etcd = await startLockedEtcd(args);
  });
  after(() => etcd?.[Symbol.asyncDispose]());
  return () => {
    if (etcd === undefined) throw new Error('etcd runs while tests run');
    return etcd;
  };
}

async function startLockedEtcd(args: readonly string[]): Promise<LockedEtcd> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-locked-etcd-'));
  const clients = ['root', 'by-certificate'].map(name => ({ name, commonName: name }));
  const pki = await createPki(directory, {
    backends: [{ name: 'etcd', clients: [...clients, { name: 'storage', commonName: 'nobody' }] }],
  });
  const filesIn = (folder: string) => ({
    caFile: join(folder, 'ca.crt'),
    certFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
  });
  const findFiles = (client: string) => filesIn(pki.backendClientDirectory('etcd', client));
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, 'password\n');
  const server = await startEtcd({
    arguments: args,
    security: {
      tls: filesIn(pki.backendServerDirectory('etcd')),
      administrator: findFiles('root'),
      users: [
        { name: 'storage', password: 'password', prefix: lockedPrefix },
        { name: 'by-certificate', prefix: lockedPrefix },
      ],
    },
  });
  const readOptions = async (client: string, prefix: string) => {
    const tls = await followClientTls('etcd', findFiles(client));
    return { endpoints: [server.endpoint], prefix: `${lockedPrefix}${prefix}`, ...(tls ? { tls } : {}) };
  };
  return {
    server,
    pki,
    passwordFile,
    findFiles,
    withPassword: async prefix => ({
      ...(await readOptions('storage', prefix)),
      user: { name: 'storage', passwordFile },
    }),
    withCertificate: prefix => readOptions('by-certificate', prefix),
    async asRoot(work) {
      const tls = await followClientTls('etcd', findFiles('root'));
      if (tls?.identity === undefined) throw new Error('root has a certificate');
      const { cert: certChain, key: privateKey } = tls.identity;
      const credentials = { rootCertificate: tls.ca, certChain, privateKey };
      const etcd = new Etcd3({ hosts: [server.endpoint], credentials });
      try {
        return await work(etcd);
      } finally {
        etcd.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
