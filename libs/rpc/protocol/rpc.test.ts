import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createPki, loadTls } from '@binnacle/tls';
import { connectRpc } from '../client/connect-rpc.ts';
import { localClient } from '../client/local-client.ts';
import { startRpcServer } from '../server/start-rpc-server.ts';
import {
  registerRpcTests,
  type TestConnection,
  TestService,
  testContract,
} from '../test-drivers/rpc-tests.ts';
import { withoutHotMethods } from '../test-drivers/without-hot-methods.ts';
import { implementService } from './service-implementation.ts';
import type { TransportSecurity } from './transport-security.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-rpc-'));
after(() => rm(directory, { recursive: true, force: true }));
const pki = await createPki(directory, { services: ['storage', 'gateway'] });
const storageTls = await loadTls(pki.serviceDirectory('storage'));
const gatewayTls = await loadTls(pki.serviceDirectory('gateway'));

const ownCalls = withoutHotMethods(testContract);

interface Wire {
  readonly server: TransportSecurity;
  readonly client: TransportSecurity;
}

const plaintext: Wire = { server: { insecure: true }, client: { insecure: true } };
const mutualTls: Wire = { server: { tls: storageTls }, client: { tls: gatewayTls } };

async function connectOver(
  wire: Wire,
  contract: typeof testContract,
  served = testContract,
): Promise<TestConnection> {
  const service = new TestService();
  const services = [implementService(served, service)];
  const server = await startRpcServer({ ...wire.server, services, port: 0, drainTimeoutMs: 2_000 });
  const addresses = [`localhost:${server.port}`];
  const client = connectRpc(contract, { ...wire.client, addresses });
  return {
    client,
    service,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

registerRpcTests('in process', async () => {
  const service = new TestService();
  const client = localClient(testContract, service);
  return { client, service, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
});
registerRpcTests('gRPC calls, plaintext', () => connectOver(plaintext, ownCalls));
registerRpcTests('gRPC calls, mutual TLS', () => connectOver(mutualTls, ownCalls));
registerRpcTests('call stream, plaintext', () => connectOver(plaintext, testContract));
registerRpcTests('call stream, mutual TLS', () => connectOver(mutualTls, testContract));
registerRpcTests('call stream without the methods', () => connectOver(plaintext, testContract, ownCalls));
