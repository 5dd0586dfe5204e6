import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StorageService } from '@binnacle/proto';
import { ConnectionLost } from '@binnacle/status-errors';
import { type Logger, silentLogger } from '@binnacle/telemetry';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { FrameBatch } from '../call-stream/call-stream-method.ts';
import { ClientStream } from '../call-stream/client-stream.ts';
import { connectRpc, type RpcClientOptions } from '../client/connect-rpc.ts';
import { type RpcServer, type RpcServerOptions, startRpcServer } from '../server/start-rpc-server.ts';
import { callFor, TestService, testContract, until } from '../test-drivers/rpc-tests.ts';
import { implementService } from './service-implementation.ts';

const opened: AsyncDisposable[] = [];
after(async () => {
  for (const resource of opened.reverse()) await resource[Symbol.asyncDispose]();
});

async function serve(service: TestService, options: Partial<RpcServerOptions> = {}): Promise<RpcServer> {
  const services = [implementService(testContract, service)];
  const server = await startRpcServer({ insecure: true, services, port: 0, ...options } as RpcServerOptions);
  opened.push(server);
  return server;
}

function connect(options: Partial<RpcClientOptions<StorageService>>) {
  const client = connectRpc(testContract, { insecure: true, ...options } as RpcClientOptions<StorageService>);
  opened.push(client);
  return client;
}

const listRequest = { prefix: 'a', startAfter: '', limit: 0, atRevision: 0 };

const callQueues = 8;

/**
 * Makes calls continuously, on call streams and as separate gRPC calls, none of them repeatable; returns a function that
 * stops them and returns the counts.
 */
function callOn(client: StorageService): () => Promise<{ calls: number; failures: unknown[] }> {
  let isOver = false;
  const failures: unknown[] = [];
  let calls = 0;
  const queue = async (send: (call: ReturnType<typeof callFor>) => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      using call = callFor(20_000);
      calls++;
      await send(call).catch(error => failures.push(error));
      await sleep(1);
    }
  };
  const queues = Array.from({ length: callQueues / 2 }, () => [
    queue(call => client.get({ key: 'a' }, call)),
    queue(call => client.list(listRequest, call)),
  ]).flat();
  return async () => {
    isOver = true;
    await Promise.all(queues);
    return { calls, failures };
  };
}

test('graceful restarts of one pod after the other fail no call, even if it cannot be repeated', async () => {
  const pods = [await serve(new TestService()), await serve(new TestService())];
  const addresses = pods.map(({ port }) => `127.0.0.1:${port}`);
  const connected: unknown[] = [];
  const log: Logger = {
    ...silentLogger,
    debug: (message, fields) => void (message === 'connected' && connected.push(fields?.['target'])),
    child: () => log,
  };
  const ended = callOn(connect({ addresses, log }));
  const restarts = [0, 1, 0, 1];
  for (const index of restarts) {
    await pods[index]?.stop();
    connected.length = 0;
    pods[index] = await serve(new TestService(), { port: pods[index]?.port ?? 0 });
    // The second pod is stopped although the client may not be connected to the restarted first one yet.
    if (index === 1) await until(() => connected.includes(addresses[1]), 'a connection to the new pod');
  }
  const { calls, failures } = await ended();
  assert.deepEqual(failures, []);
  assert.ok(calls >= restarts.length * callQueues, `${calls}`);
});

test('the only pod serves while it stops, until its successor at another address is found', async () => {
  const old = await serve(new TestService(), { host: '127.0.0.1' });
  const successor = new TestService();
  let hosts = ['127.0.0.1'];
  const lookup = async () => hosts;
  const client = connect({ addresses: [`storage.test:${old.port}`], lookup, resolveIntervalMs: 600_000 });
  using call = callFor(20_000);
  await client.get({ key: 'a' }, call);
  await sleep(1_000); // The minimum interval between two lookups.
  const ended = callOn(client);
  await serve(successor, { host: '127.0.0.2', port: old.port });
  hosts = ['127.0.0.1', '127.0.0.2'];
  await old.stop();
  await until(() => successor.calls.length > 20, 'calls to the successor');
  assert.deepEqual((await ended()).failures, []);
});

test('a pod that is not ready gets no calls, which wait if there is no other pod', async () => {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  const [late, other] = [new TestService(), new TestService()];
  const latePod = await serve(late, { ready });
  const otherPod = await serve(other);
  const both = connect({ addresses: [latePod, otherPod].map(({ port }) => `127.0.0.1:${port}`) });
  using call = callFor(20_000);
  for (let count = 0; count < 20; count++) await both.get({ key: 'a' }, call);
  assert.deepEqual([late.calls.length, other.calls.length], [0, 20]);
  const alone = connect({ addresses: [`127.0.0.1:${latePod.port}`] });
  const waiting = alone.get({ key: 'a' }, call);
  await sleep(50);
  assert.equal(late.calls.length, 0);
  becomeReady();
  await waiting;
  await until(() => {
    // More calls than one pod has room for.
    for (let count = 0; count < 100; count++) both.get({ key: 'a' }, call).catch(() => {});
    return late.calls.length > 5;
  }, 'calls to the pod that became ready');
});

test('a pod that stops before it is ready ends at once', async () => {
  const pod = await serve(new TestService(), { ready: new Promise(() => {}) });
  const client = connect({ addresses: [`127.0.0.1:${pod.port}`] });
  using call = callFor(20_000);
  const attempt = assert.rejects(client.get({ key: 'a' }, call), /cannot be reached/);
  await sleep(50);
  await pod.stop();
  await attempt;
});

test('a call that was not handed to the transport before the stream broke counts as not processed', async () => {
  const written = Promise.withResolvers<void>();
  const stream = new Duplex({ objectMode: true, write: () => written.resolve(), read: () => {} });
  const events = { drained() {}, idle() {}, ponged() {}, heard() {}, told() {} };
  // `ClientStream` uses only the members that every duplex stream has.
  const client = new ClientStream(
    stream as unknown as ClientDuplexStream<FrameBatch, FrameBatch>,
    'Storage',
    events,
  );
  const [get] = testContract.methods.filter(({ name }) => name === 'get');
  assert.ok(get);
  using call = callFor();
  const findOutcome = (pending: Promise<unknown>) => pending.catch((error: unknown) => error);
  const sent = findOutcome(client.call(get, { key: 'a' }, call));
  await written.promise;
  const unsent = findOutcome(client.call(get, { key: 'b' }, call));
  client.fail(new Error('gone'));
  const [first, second] = [await sent, await unsent];
  assert.ok(first instanceof ConnectionLost && second instanceof ConnectionLost);
  assert.deepEqual([first.isUnprocessed, second.isUnprocessed], [false, true]);
});

test('the only pod does not delay its stop for clients without another pod', async () => {
  const pod = await serve(new TestService(), { leaveTimeoutMs: 50, drainTimeoutMs: 60_000 });
  const client = connect({ addresses: [`127.0.0.1:${pod.port}`] });
  using call = callFor(20_000);
  await client.get({ key: 'a' }, call);
  const slow = client.get({ key: 'slow' }, call);
  await pod.stop();
  await slow;
  await assert.rejects(client.get({ key: 'a' }, call), /cannot be reached/);
});
