import { after, before } from 'node:test';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { storageContract } from '@binnacle/proto';
import { connectRpc, implementService, startRpcServer } from '@binnacle/rpc';
import { remoteStorage } from '@binnacle/storage-contract';
import { registerStorageContractTests } from '@binnacle/storage-contract/testing';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createStorageService } from './storage-service.ts';

let etcd: EtcdServer;
let prefixes = 0;

before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

registerStorageContractTests('etcd, gRPC with call stream', async () => {
  const stack = new AsyncDisposableStack();
  const service = stack.use(
    await createStorageService({
      backend: { kind: 'etcd', etcd: { endpoints: [etcd.endpoint], prefix: `/rpc-${prefixes++}` } },
      log: silentLogger,
      metrics: createMetrics({ process: false }),
    }),
  );
  const services = [implementService(storageContract, service.handlers)];
  const server = stack.use(await startRpcServer({ services, port: 0, insecure: true, drainTimeoutMs: 200 }));
  const addresses = [`127.0.0.1:${server.port}`];
  const client = stack.use(connectRpc(storageContract, { addresses, insecure: true }));
  return { storage: remoteStorage(client), [Symbol.asyncDispose]: () => stack.disposeAsync() };
});
