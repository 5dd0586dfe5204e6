import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'node:test';
import { type StorageService, storageContract } from '@binnacle/proto';
import { connectRpc, implementService, startRpcServer } from '@binnacle/rpc';
import { localClient, withoutHotMethods } from '@binnacle/rpc/testing';
import { remoteStorage } from '@binnacle/storage-contract';
import { registerStorageContractTests, type StorageUnderTest } from '@binnacle/storage-contract/testing';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createStorageService } from './storage-service.ts';

type Connect = (handlers: StorageService, stack: AsyncDisposableStack) => Promise<StorageService>;

/** The ways from a caller to the handlers. */
const ways: { readonly [name: string]: Connect } = {
  'local client': async (handlers, stack) => stack.use(localClient(storageContract, handlers)),
  'gRPC with call stream': (handlers, stack) => overGrpc(handlers, stack, storageContract),
  'gRPC without call stream': (handlers, stack) =>
    overGrpc(handlers, stack, withoutHotMethods(storageContract)),
};

async function overGrpc(
  handlers: StorageService,
  stack: AsyncDisposableStack,
  contract: typeof storageContract,
) {
  const services = [implementService(storageContract, handlers)];
  const server = stack.use(await startRpcServer({ services, port: 0, insecure: true, drainTimeoutMs: 200 }));
  const addresses = [`127.0.0.1:${server.port}`];
  return stack.use(connectRpc(contract, { addresses, insecure: true }));
}

async function createUnderTest(connect: Connect): Promise<StorageUnderTest> {
  const stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-storage-'));
  stack.defer(() => rm(directory, { recursive: true }));
  const service = stack.use(
    await createStorageService({
      backend: { kind: 'embedded', directory },
      log: silentLogger,
      metrics: createMetrics({ process: false }),
    }),
  );
  const storage = remoteStorage(await connect(service.handlers, stack));
  return { storage, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

// Each has a store of its own, and spends half of its time waiting: for notes of progress, for deadlines.
suite('the storage service', { concurrency: true }, () => {
  for (const [name, connect] of Object.entries(ways))
    registerStorageContractTests(`embedded, ${name}`, () => createUnderTest(connect));
});
