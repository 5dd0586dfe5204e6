import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { millisecondsUntil } from '@binnacle/proto';
import { connectRpc } from '../client/connect-rpc.ts';
import { implementService } from '../protocol/service-implementation.ts';
import { startRpcServer } from '../server/start-rpc-server.ts';
import { callFor, TestService, testContract, until } from '../test-drivers/rpc-tests.ts';

const hourMs = 3_600_000;
const opened: AsyncDisposable[] = [];
after(async () => {
  mock.restoreAll();
  for (const resource of opened.reverse()) await resource[Symbol.asyncDispose]();
});

/** Steps the wall clock of this process; timers and the monotonic clock are not affected. */
function stepClock(milliseconds: number): void {
  const real = Date.now.bind(Date);
  mock.method(Date, 'now', () => real() + milliseconds);
}

const methods = {
  'a call on a call stream': (client: TestClient, call: ReturnType<typeof callFor>) =>
    client.get({ key: 'slow' }, call),
  'a gRPC call of its own': (client: TestClient, call: ReturnType<typeof callFor>) =>
    client.list({ prefix: 'slow', startAfter: '', limit: 0, atRevision: 0 }, call),
};
type TestClient = Awaited<ReturnType<typeof connectedClient>>['client'];

async function connectedClient() {
  const service = new TestService();
  const server = await startRpcServer({
    insecure: true,
    services: [implementService(testContract, service)],
    port: 0,
  });
  const client = connectRpc(testContract, { insecure: true, addresses: [`127.0.0.1:${server.port}`] });
  opened.push(server, client);
  using call = callFor();
  await client.get({ key: 'a' }, call);
  return { client, service };
}

for (const [name, send] of Object.entries(methods))
  for (const stepMs of [hourMs, -hourMs])
    test(`${name} is answered although the clock steps ${stepMs > 0 ? 'forward' : 'back'} meanwhile`, async () => {
      const { client, service } = await connectedClient();
      using call = callFor(30_000);
      const seen = service.calls.length;
      const answer = send(client, call);
      await until(() => service.calls.length > seen, 'the call');
      stepClock(stepMs);
      await answer;
      const handled = service.calls.at(-1)?.call;
      assert.ok(handled !== undefined && millisecondsUntil(handled.deadline) > 0);
      assert.ok(millisecondsUntil(handled.deadline) <= 30_000);
      mock.restoreAll();
    });
