import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { implementService } from '../protocol/service-implementation.ts';
import { PodPreference } from '../server/pod-preference.ts';
import { type RpcServer, type RpcServerOptions, startRpcServer } from '../server/start-rpc-server.ts';
import { callFor, TestService, testContract } from '../test-drivers/rpc-tests.ts';
import { connectRpc } from './connect-rpc.ts';

const opened: { stop(): Promise<void> }[] = [];
after(() => Promise.all(opened.map(each => each.stop())));

/** Starts two pods, in the order in which clients prefer them, and a client that has called both. */
async function twoPods(cpuMicros: readonly NonNullable<RpcServerOptions['cpuMicros']>[] = []) {
  const preferences = [new PodPreference(), new PodPreference()] as const;
  const services = [new TestService(), new TestService()];
  const servers: RpcServer[] = [];
  for (const [index, service] of services.entries()) {
    const server = await startRpcServer({
      insecure: true,
      services: [implementService(testContract, service)],
      // Different addresses fix the order of the pods, whatever their ports.
      host: `127.0.0.${index + 1}`,
      port: 0,
      drainTimeoutMs: 1_000,
      cpuMicros: cpuMicros[index] ?? (() => 0),
      preference: preferences[index] ?? preferences[0],
    });
    servers.push(server);
    opened.push(server);
  }
  const addresses = servers.map(({ port }, index) => `127.0.0.${index + 1}:${port}`);
  const client = connectRpc(testContract, {
    insecure: true,
    // The order of the addresses has no effect.
    addresses: addresses.toReversed(),
  });
  opened.push({ stop: async () => await client[Symbol.asyncDispose]() });
  const call = callFor(30_000);
  opened.push({ stop: async () => call[Symbol.dispose]() });
  const seen = () => services.map(({ calls }) => calls.length);
  /** Makes `count` calls in one turn; returns the number that each pod received. */
  const share = async (count: number): Promise<number[]> => {
    await turn();
    const before = seen();
    await Promise.all(Array.from({ length: count }, () => client.get({ key: 'a' }, call)));
    return seen().map((calls, index) => calls - (before[index] ?? 0));
  };
  // Both connections are open once the second pod has received the calls for which the first has no room.
  await until(async () => ((await share(200))[1] ?? 0) > 0);
  await until(async () => (await share(1))[0] === 1);
  return { services, preferences, addresses, client, call, share };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 10) {
    if (await condition()) return;
    await sleep(10);
  }
  assert.fail('it did not come to that');
}

test('calls go to the first pod while it has capacity, and beyond that to all pods in turn', async () => {
  const { share } = await twoPods();
  for (let count = 0; count < 5; count++) assert.deepEqual(await share(10), [10, 0]);
  assert.deepEqual(await share(64), [64, 0]);
  const [first = 0, second = 0] = await share(64 + 64);
  assert.deepEqual(
    [first, second],
    [96, 32],
    'what the first one has no room for leaves in messages of 32 for each',
  );
});

test('a pod that does not answer holds the calls up to its capacity, and no more', async () => {
  const { services, client, share } = await twoPods();
  using hanging = callFor(30_000);
  const before = services[0]?.calls.length ?? 0;
  const held = Array.from({ length: 64 }, () => client.get({ key: 'hang' }, hanging));
  for (const attempt of held) attempt.catch(() => {});
  await until(async () => services[0]?.calls.length === before + 64);
  const both = [await share(20), await share(20)].map(([first]) => first).toSorted();
  assert.deepEqual(both, [0, 20], 'the next ones are shared');
});

test('a busy pod shares its calls with the others until it is no longer busy', async () => {
  let part = 0;
  let [usedMicros, at] = [0, performance.now()];
  const cpuMicros = () => {
    usedMicros += (performance.now() - at) * 1000 * part;
    at = performance.now();
    return usedMicros;
  };
  const { share } = await twoPods([cpuMicros]);
  part = 1;
  await until(async () => (await share(10))[1] === 10);
  const turns = [await share(10), await share(10), await share(10), await share(10)];
  assert.deepEqual(turns.filter(([first]) => first === 10).length, 2, 'turns alternate between the pods');
  part = 0.1;
  await until(async () => (await share(10))[0] === 10 && (await share(10))[0] === 10);
});

test('the preferred pod is used first, whatever the order of addresses', async () => {
  const { share, preferences } = await twoPods();
  preferences[1].set(true);
  await until(async () => (await share(10))[1] === 10);
  for (let count = 0; count < 5; count++) assert.deepEqual(await share(64), [0, 64]);
  const [first = 0, second = 0] = await share(64 + 64);
  assert.deepEqual([first, second], [32, 96], 'what it has no room for is shared');
  // The second pod takes over before the first one ends its preference.
  preferences[0].set(true);
  await until(async () => (await share(10))[0] === 10);
  preferences[1].set(false);
  for (let count = 0; count < 5; count++) assert.deepEqual(await share(10), [10, 0]);
});

test('a new client learns which pod is preferred', async () => {
  const { preferences, addresses, services } = await twoPods();
  preferences[1].set(true);
  const client = connectRpc(testContract, { insecure: true, addresses });
  opened.push({ stop: async () => await client[Symbol.asyncDispose]() });
  using call = callFor(30_000);
  await until(async () => {
    const before = services[1]?.calls.length ?? 0;
    for (let count = 0; count < 5; count++) await client.get({ key: 'a' }, call);
    return (services[1]?.calls.length ?? 0) - before === 5;
  });
});

test('the calls of a large turn are shared among busy pods', async () => {
  const busy = () => performance.now() * 1000;
  const { share } = await twoPods([busy, busy]);
  await until(async () => (await share(10))[1] === 10);
  const large = await share(40);
  assert.deepEqual([Math.min(...large), Math.max(...large)], [8, 32]);
});

test('streams are spread over all pods', async () => {
  const { services, client, call } = await twoPods();
  const streams = Array.from({ length: 4 }, () =>
    client.changes({ afterRevision: 0, fromWindowStart: true }, call)[Symbol.asyncIterator](),
  );
  for (const stream of streams) await stream.next();
  assert.deepEqual(
    services.map(({ produced }) => produced > 0),
    [true, true],
  );
  for (const stream of streams) await stream.return?.();
});

test('the successor of a pod that is gone is known before the next pod stops, although names cannot be resolved then', async () => {
  const services = new Map<string, TestService>();
  const start = async (host: string, port: number): Promise<RpcServer> => {
    const service = new TestService();
    services.set(host, service);
    const server = await startRpcServer({
      ...{ insecure: true, host, port, drainTimeoutMs: 100 },
      services: [implementService(testContract, service)],
    });
    opened.push(server);
    return server;
  };
  const first = await start('127.0.0.1', 0);
  const second = await start('127.0.0.2', first.port);
  let found: readonly string[] | undefined = ['127.0.0.1', '127.0.0.2'];
  let seen: readonly string[] | undefined;
  await using client = connectRpc(testContract, {
    insecure: true,
    addresses: [`pods.test:${first.port}`],
    lookup: async () => {
      seen = found;
      return found ?? (await new Promise<never>(() => {}));
    },
  });
  using call = callFor(30_000);
  await client.get({ key: 'a' }, call);
  found = ['127.0.0.2'];
  await first.stop();
  await until(async () => seen === found);
  await start('127.0.0.3', first.port);
  found = ['127.0.0.2', '127.0.0.3'];
  await until(async () => seen === found);
  found = undefined;
  await second.stop();
  await client.get({ key: 'a' }, call);
  assert.equal(services.get('127.0.0.3')?.calls.length, 1);
});
