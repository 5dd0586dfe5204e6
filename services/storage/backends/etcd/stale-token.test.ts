import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { isStorageError, storageKeyFrom } from '@binnacle/storage-contract';
import {
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';
import { revisionFromEtcd } from './revisions.ts';

const empty = Buffer.alloc(0);

/** A method of etcd's wire interface whose messages stay bytes: an empty message is one with nothing set. */
const method = (path: string): ServiceDefinition => ({
  call: {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
  },
});

/** A server that counts requests and knows only the tokens that `knows` names, by their number. */
async function startCountingServer(knows: (token: number) => boolean) {
  const counts = { authentications: 0, reads: 0, writes: 0 };
  const server = new Server();
  const answerIfKnown =
    (counter: 'reads' | 'writes', answer: Buffer): handleUnaryCall<Buffer, Buffer> =>
    ({ metadata }, reply) => {
      counts[counter]++;
      if (knows(tokenIn(metadata))) reply(null, answer);
      else reply({ code: status.UNAUTHENTICATED, details: 'etcdserver: invalid auth token' });
    };
  const header = Buffer.from([0x0a, 0x02, 0x18, 0x07]); // header { revision: 7 }
  const succeeded = Buffer.concat([header, Buffer.from([0x10, 0x01])]);
  const authenticate: handleUnaryCall<Buffer, Buffer> = (_, reply) => {
    const token = Buffer.from(String(++counts.authentications));
    reply(null, Buffer.concat([Buffer.from([0x12, token.length]), token]));
  };
  server.addService(method('/etcdserverpb.KV/Range'), { call: answerIfKnown('reads', header) });
  server.addService(method('/etcdserverpb.KV/Txn'), { call: answerIfKnown('writes', succeeded) });
  server.addService(method('/etcdserverpb.Auth/Authenticate'), { call: authenticate });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { counts, endpoint: `http://127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

const tokenIn = (metadata: Metadata): number => Number(metadata.get('token')[0] ?? empty.toString());
const key = storageKeyFrom('/core/configmaps/ns/a');
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });

async function withStorage(
  knows: (token: number) => boolean,
  run: (
    storage: ReturnType<typeof createEtcdStorage>,
    counts: { authentications: number; reads: number; writes: number },
  ) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-stale-token-'));
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, 'password');
  const server = await startCountingServer(knows);
  try {
    const user = { name: 'storage', passwordFile };
    using connection = connectEtcd({ endpoints: [server.endpoint], prefix: '/stale', user });
    await run(createEtcdStorage(connection), server.counts);
  } finally {
    server.stop();
    await rm(directory, { recursive: true });
  }
}

test('a request with a stale token is repeated once with a new one', async () => {
  let oldest = 1;
  await withStorage(
    token => token >= oldest,
    async (storage, counts) => {
      await storage.get(key, call());
      // The store reads its revision floor before the first call.
      assert.deepEqual(counts, { authentications: 1, reads: 2, writes: 0 });
      oldest = 2;
      const put = { preconditions: [], puts: [{ key, value: Buffer.from('a') }], deletes: [] };
      assert.deepEqual(await storage.transact(put, call()), {
        committed: true,
        revision: revisionFromEtcd(7),
      });
      assert.deepEqual(counts, { authentications: 2, reads: 2, writes: 2 });
      await storage.get(key, call());
      assert.deepEqual(counts, { authentications: 2, reads: 3, writes: 2 });
    },
  );
});

test('a request fails after two attempts at a server that accepts no token', async () => {
  await withStorage(
    () => false,
    async (storage, counts) => {
      await assert.rejects(storage.get(key, call()), (error: unknown) => {
        assert.ok(isStorageError(error, 'unavailable'));
        assert.equal(error.message, 'etcd refuses the credentials of this service');
        return true;
      });
      assert.deepEqual(counts, { authentications: 2, reads: 2, writes: 0 });
    },
  );
});
