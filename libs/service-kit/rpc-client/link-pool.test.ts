import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { callFor, TestService, testContract } from '../rpc/rpc-tests.ts';
import { implementService } from '../rpc/service-implementation.ts';
import { type RpcServer, startRpcServer } from '../rpc-server/start-rpc-server.ts';
import { connectRpc } from './connect-rpc.ts';

const opened: RpcServer[] = [];
after(() => Promise.all(opened.map(server => server.stop())));

async function serve(service: TestService): Promise<RpcServer> {
  const services = [implementService(testContract, service)];
  const server = await startRpcServer({ insecure: true, services, port: 0, drainTimeoutMs: 1_000 });
  opened.push(server);
  return server;
}

test('calls of one turn go to the same pod, those of the next turn to the next one', async () => {
  const services = [new TestService(), new TestService()];
  const servers = await Promise.all(services.map(serve));
  await using client = connectRpc(testContract, {
    insecure: true,
    addresses: servers.map(({ port }) => `127.0.0.1:${port}`),
  });
  using call = callFor(30_000);
  const seen = () => services.map(({ calls }) => calls.length);
  // Once both pods take calls, turns of calls alternate between them.
  while (seen().includes(0)) await client.get({ key: 'a' }, call);
  const turnOf = async (count: number): Promise<number[]> => {
    await turn();
    const before = seen();
    await Promise.all(Array.from({ length: count }, () => client.get({ key: 'a' }, call)));
    return seen().map((calls, index) => calls - (before[index] ?? 0));
  };
  const [first, second] = [await turnOf(10), await turnOf(10)];
  assert.deepEqual(first.toSorted(), [0, 10]);
  assert.deepEqual(second, first.toReversed());
  const large = await turnOf(40);
  assert.deepEqual([Math.min(...large), Math.max(...large)], [8, 32], 'a large turn is shared among pods');
});
