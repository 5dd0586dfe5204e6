import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { backUpStore } from '../../back-up-store.ts';
import { openEmbeddedStorage } from '../../backends/embedded/embedded-storage.ts';
import { connectEtcd } from '../../backends/etcd/connection.ts';
import { createEtcdStorage } from '../../backends/etcd/etcd-storage.ts';
import { makeTestFolder } from '../../test-drivers/stored-samples.ts';
import type { PlacedStore } from './restore-tests.ts';

const run = promisify(execFile);

/** Places an embedded store in a folder of its own. */
export async function placeEmbedded(): Promise<PlacedStore> {
  const folder = await makeTestFolder();
  const args = ['--backend=embedded', `--data-dir=${folder}`];
  return {
    args,
    open: () => openEmbeddedStorage({ directory: join(folder, 'store') }),
    async backUp(file) {
      const program = join(import.meta.dirname, 'back-up-process.ts');
      const { stdout } = await run(process.execPath, [program, file, ...args]);
      return Number(stdout);
    },
  };
}

let prefixes = 0;

/** Places a store in an etcd, below a prefix of its own. */
export async function placeInEtcd(endpoint: string): Promise<PlacedStore> {
  const prefix = `/backup-${prefixes++}`;
  const args = [`--etcd-endpoints=${endpoint}`, `--etcd-prefix=${prefix}`];
  return {
    args,
    async open() {
      const connection = connectEtcd({ endpoints: [endpoint], prefix });
      return {
        ...createEtcdStorage(connection),
        [Symbol.asyncDispose]: async () => connection[Symbol.dispose](),
      };
    },
    async backUp(file) {
      const signal = new AbortController().signal;
      const { header } = await backUpStore({ args, env: {}, target: { file }, now: Date.now, signal });
      return header.revision;
    },
  };
}
