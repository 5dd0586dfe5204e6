import { connectRpc } from '../rpc-client/connect-rpc.ts';
import { localClient } from '../rpc-client/local-client.ts';
import { startRpcServer } from '../rpc-server/start-rpc-server.ts';
import { registerRpcTests, type TestConnection, TestService, testContract } from './rpc-tests.ts';
import { implementService } from './service-implementation.ts';
import type { TransportSecurity } from './transport-security.ts';

async function connectOver(security: TransportSecurity, withoutCallStream: boolean): Promise<TestConnection> {
  const service = new TestService();
  const services = [implementService(testContract, service)];
  const server = await startRpcServer({ ...security, services, port: 0, drainTimeoutMs: 2_000 });
  const addresses = [`localhost:${server.port}`];
  const client = connectRpc(testContract, { ...security, addresses, withoutCallStream });
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
registerRpcTests('gRPC calls, plaintext', () => connectOver({ insecure: true }, true));
registerRpcTests('call stream, plaintext', () => connectOver({ insecure: true }, false));
