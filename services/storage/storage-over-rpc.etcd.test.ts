import { after } from 'node:test';
import { storageContract } from '@binnacle/proto';
import { connectRpc, implementService, startRpcServer } from '@binnacle/rpc';
import { remoteStorage } from '@binnacle/storage-contract';
import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createStorageService, type LocalStorageService } from './storage-service.ts';
import { useLockedEtcd } from './test-drivers/locked-etcd.ts';

let prefixes = 0;
const closing: PromiseLike<void>[] = [];

// A leader that stops waits a second for the next one, here in vain: the next test does not wait for that.
after(() => Promise.all(closing));
const etcd = useLockedEtcd('--auth-token-ttl=1');

registerStorageContractTests('locked etcd, by certificate, gRPC with call stream', async () => {
  const stack = new AsyncDisposableStack();
  const service = stack.adopt(
    await createStorageService({
      backend: { kind: 'etcd', etcd: await etcd().withCertificate(`/rpc-${prefixes++}`) },
      log: silentLogger,
      metrics: createMetrics({ process: false }),
    }),
    (closed: LocalStorageService) => void closing.push(closed[Symbol.asyncDispose]()),
  );
  const services = [implementService(storageContract, service.handlers)];
  const server = stack.use(await startRpcServer({ services, port: 0, insecure: true, drainTimeoutMs: 200 }));
  const addresses = [`127.0.0.1:${server.port}`];
  const client = stack.use(connectRpc(storageContract, { addresses, insecure: true }));
  return { storage: remoteStorage(client), [Symbol.asyncDispose]: () => stack.disposeAsync() };
});
