import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CallContext } from '@binnacle/proto';
import { connectRpc } from '../client/connect-rpc.ts';
import { createCallContext } from '../deadline/call-context.ts';
import { startRpcServer } from '../server/start-rpc-server.ts';
import { TestService, testContract } from '../test-drivers/rpc-tests.ts';
import { implementService } from './service-implementation.ts';

const messages = 200;

/** Streams messages with a weak reference to each, then waits for the end of the call. */
class WatchedStream extends TestService {
  readonly sent: WeakRef<object>[] = [];

  override async *changes(_: { afterRevision: number; fromWindowStart: boolean }, call: CallContext) {
    for (let revision = 0; revision < messages; revision++) {
      const message = { events: [], revision };
      this.sent.push(new WeakRef(message));
      yield message;
      await turn();
    }
    await new Promise(resolve => call.signal.addEventListener('abort', resolve));
  }
}

test('a long stream does not keep the messages that it has sent', async () => {
  await using stack = new AsyncDisposableStack();
  const service = new WatchedStream();
  const services = [implementService(testContract, service)];
  const server = stack.use(await startRpcServer({ services, port: 0, insecure: true }));
  const addresses = [`127.0.0.1:${server.port}`];
  const client = stack.use(connectRpc(testContract, { addresses, insecure: true }));
  using call = createCallContext({ timeoutMs: 60_000 });
  const stream = client.changes({ afterRevision: 0, fromWindowStart: false }, call)[Symbol.asyncIterator]();
  for (let count = 0; count < messages; count++) assert.equal((await stream.next()).done, false);
  await turn();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const held = service.sent.slice(0, messages / 2).filter(sent => sent.deref() !== undefined);
  assert.equal(held.length, 0);
  await stream.return?.();
});
