import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FollowedFiles } from '@binnacle/backend-access';
import { silentLogger } from '@binnacle/telemetry';
import { createPki, loadTls, type TlsMaterial } from '@binnacle/tls';
import { connectRpc } from '../client/connect-rpc.ts';
import { createCallContext } from '../deadline/call-context.ts';
import { startRpcServer } from '../server/start-rpc-server.ts';
import { TestService, testContract } from '../test-drivers/rpc-tests.ts';
import { implementService } from './service-implementation.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-exchange-'));
after(() => rm(directory, { recursive: true, force: true }));
const services = ['storage', 'gateway'];
const [old, next] = [
  await createPki(join(directory, 'old'), { services }),
  await createPki(join(directory, 'next'), { services }),
];

/** The TLS files of a service, followed as services do. */
async function follow(service: string, files: FollowedFiles): Promise<TlsMaterial> {
  const folder = old.serviceDirectory(service);
  const listeners: (() => void)[] = [];
  const current = files.follow(service, {
    first: await loadTls(folder),
    read: () => loadTls(folder),
    onChange() {
      for (const listener of listeners) listener();
    },
  });
  return {
    get ca() {
      return current().ca;
    },
    get cert() {
      return current().cert;
    },
    get key() {
      return current().key;
    },
    onChange: listener => void listeners.push(listener),
  };
}

test('authority and certificates of two services are exchanged while calls go on', async () => {
  await using stack = new AsyncDisposableStack();
  using files = new FollowedFiles();
  const server = stack.use(
    await startRpcServer({
      tls: await follow('storage', files),
      services: [implementService(testContract, new TestService())],
      port: 0,
      // A connection lives shorter than the test.
      maxConnectionAgeMs: 20,
    }),
  );
  const addresses = [`localhost:${server.port}`];
  const client = stack.use(
    connectRpc(testContract, { tls: await follow('gateway', files), addresses, serverName: 'storage' }),
  );
  const outsider = await loadTls(old.serviceDirectory('gateway'));
  let calls = 0;
  let isOver = false;
  const calling = (async () => {
    for (; !isOver; calls++) {
      using call = createCallContext({ timeoutMs: 20_000 });
      await client.get({ key: '/x' }, call);
    }
  })();
  const callMore = async (): Promise<void> => {
    const end = calls + 50;
    while (calls < end) await Promise.race([calling, new Promise(resolve => setTimeout(resolve, 5))]);
  };
  const change = async (write: (folder: string, fresh: string) => Promise<unknown>): Promise<void> => {
    for (const service of services) {
      await write(old.serviceDirectory(service), next.serviceDirectory(service));
      await files.look(silentLogger);
      await callMore();
    }
  };
  await callMore();
  const { ca } = await loadTls(next.serviceDirectory('storage'));
  await change(folder => writeFile(join(folder, 'ca.crt'), Buffer.concat([outsider.ca, ca])));
  await change(async (folder, fresh) => {
    for (const name of ['tls.crt', 'tls.key']) await copyFile(join(fresh, name), join(folder, name));
  });
  await change(folder => writeFile(join(folder, 'ca.crt'), ca));
  isOver = true;
  await calling;

  // One that trusts the server, and shows a certificate of before.
  const late = stack.use(
    connectRpc(testContract, { tls: { ...outsider, ca }, addresses, serverName: 'storage' }),
  );
  using call = createCallContext({ timeoutMs: 20_000 });
  await assert.rejects(late.get({ key: '/x' }, call), /Storage cannot be reached/);
});
