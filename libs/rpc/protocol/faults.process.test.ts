import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { StorageService } from '@binnacle/proto';
import { ConnectionLost, StatusError } from '@binnacle/status-errors';
import { connectRpc, type RpcClientOptions } from '../client/connect-rpc.ts';
import { type RpcServer, type RpcServerOptions, startRpcServer } from '../server/start-rpc-server.ts';
import { callFor, TestService, testContract, until, withCode } from '../test-drivers/rpc-tests.ts';
import { implementService } from './service-implementation.ts';

const opened: AsyncDisposable[] = [];
after(async () => {
  for (const resource of opened.reverse()) await resource[Symbol.asyncDispose]();
});

async function serve(service: TestService, options: Partial<RpcServerOptions> = {}): Promise<RpcServer> {
  const services = [implementService(testContract, service)];
  const server = await startRpcServer({
    insecure: true,
    services,
    port: 0,
    drainTimeoutMs: 5_000,
    ...options,
  } as RpcServerOptions);
  opened.push(server);
  return server;
}

function connect(ports: number[], options: Partial<RpcClientOptions<StorageService>> = {}) {
  const addresses = ports.map(port => `127.0.0.1:${port}`);
  const client = connectRpc(testContract, {
    insecure: true,
    addresses,
    ...options,
  } as RpcClientOptions<StorageService>);
  opened.push(client);
  return client;
}

/** Starts a server in a separate process, for tests that kill it. */
async function serveInChild(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('../test-drivers/fault-server.ts', import.meta.url)), [], {
    stdio: 'inherit',
  });
  opened.push({
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
    },
  });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

async function reachable(client: StorageService): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    using call = callFor(1_000);
    const answer = await client.get({ key: 'probe' }, call).catch(() => undefined);
    if (answer) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  assert.fail('the service did not become reachable');
}

const listRequest = { prefix: 'hang', startAfter: '', limit: 0, atRevision: 0 };

describe('a server that is killed', () => {
  test('fails the calls under way as lost, over every transport', async () => {
    const { child, port } = await serveInChild();
    const client = connect([port]);
    await reachable(client);
    using call = callFor(20_000);
    const stream = client.changes({ afterRevision: 0, fromWindowStart: true }, call)[Symbol.asyncIterator]();
    await stream.next();
    const readAll = (async () => {
      while (!(await stream.next()).done);
    })();
    const hanging: unknown[] = [];
    child.on('message', (message: { readonly key?: string }) => {
      if (message.key === 'hang') hanging.push(message);
    });
    const attempts = [client.get({ key: 'hang' }, call), client.list(listRequest, call), readAll];
    const outcomes = Promise.allSettled(attempts);
    await until(() => hanging.length === 2, 'the calls');
    child.kill('SIGKILL');
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(outcome.reason instanceof ConnectionLost, String(outcome.reason));
    }
    using later = callFor(20_000);
    await assert.rejects(
      client.get({ key: 'a' }, later),
      error => withCode(503)(error) && /Storage/.test((error as Error).message),
    );
  });

  test('fails no repeatable read while another pod is there', async () => {
    const { child, port } = await serveInChild();
    const second = await serve(new TestService());
    const client = connect([port, second.port], { repeatable: ['get'] });
    await reachable(client);
    using call = callFor(20_000);
    const reads = Array.from({ length: 40 }, () => client.get({ key: 'slow' }, call));
    setTimeout(() => child.kill('SIGKILL'), 20);
    const outcomes = await Promise.all(reads);
    assert.equal(outcomes.length, 40);
    for (let count = 0; count < 50; count++) await client.get({ key: 'a' }, call);
  });

  test('is found again when it has restarted', async () => {
    const first = await serve(new TestService());
    const { port } = first;
    const client = connect([port]);
    await reachable(client);
    await first.stop();
    using call = callFor(5_000);
    await assert.rejects(client.get({ key: 'a' }, call), withCode(503));
    await serve(new TestService(), { port });
    await reachable(client);
  });
});

describe('a server that stops', () => {
  test('finishes calls under way and ends endless streams, and its clients use other pods without an error', async () => {
    const [one, two] = [new TestService(), new TestService()];
    const first = await serve(one);
    const second = await serve(two);
    const client = connect([first.port, second.port]);
    using call = callFor(30_000);
    // More calls than one pod has room for.
    while (one.calls.length === 0 || two.calls.length === 0)
      await Promise.all(Array.from({ length: 100 }, () => client.get({ key: 'a' }, call)));
    const slow = Array.from({ length: 10 }, () => client.get({ key: 'slow' }, call));
    const stopped = first.stop();
    const others = Array.from({ length: 200 }, () => client.get({ key: 'b' }, call));
    assert.equal((await Promise.all([...slow, ...others])).length, 210);
    await stopped;
    for (let count = 0; count < 20; count++) await client.get({ key: 'c' }, call);
  });

  test('ends endless streams as lost, so that clients open them elsewhere', async () => {
    const server = await serve(new TestService());
    const client = connect([server.port]);
    await reachable(client);
    using call = callFor(30_000);
    const stream = client.changes({ afterRevision: 0, fromWindowStart: true }, call)[Symbol.asyncIterator]();
    await stream.next();
    const stopped = server.stop();
    await assert.rejects(
      async () => {
        while (!(await stream.next()).done);
      },
      error => error instanceof ConnectionLost,
    );
    await stopped;
  });

  test('ends unfinished calls at its timeout', async () => {
    const service = new TestService();
    const server = await serve(service, { drainTimeoutMs: 200 });
    const client = connect([server.port]);
    await reachable(client);
    using call = callFor(30_000);
    const seen = service.calls.length;
    const attempt = assert.rejects(
      client.get({ key: 'hang' }, call),
      error => error instanceof ConnectionLost,
    );
    await until(() => service.calls.length > seen, 'the call');
    await server.stop();
    await attempt;
  });
});

describe('connections of clients', () => {
  test('many calls are spread over all pods', async () => {
    const services = [new TestService(), new TestService(), new TestService()];
    const servers = await Promise.all(services.map(service => serve(service)));
    const client = connect(servers.map(({ port }) => port));
    using call = callFor(30_000);
    await until(() => {
      for (let count = 0; count < 200; count++) client.get({ key: 'a' }, call).catch(() => {});
      return services.every(({ calls }) => calls.length >= 20);
    }, 'calls to all pods');
  });

  test('a name is resolved periodically, and new pods get their share', async () => {
    const services = [new TestService(), new TestService()];
    const first = await serve(services[0]!, { host: '127.0.0.1' });
    await serve(services[1]!, { host: '127.0.0.2', port: first.port });
    let hosts = ['127.0.0.1'];
    const client = connectRpc(testContract, {
      insecure: true,
      addresses: [`storage.test:${first.port}`],
      lookup: async () => hosts,
      resolveIntervalMs: 50,
    });
    opened.push(client);
    await reachable(client);
    hosts = ['127.0.0.2'];
    using call = callFor(30_000);
    await until(() => {
      client.get({ key: 'a' }, call).catch(() => {});
      return (services[1]?.calls.length ?? 0) > 20;
    }, 'calls to the new pod');
    const seen = services[0]?.calls.length;
    for (let count = 0; count < 20; count++) await client.get({ key: 'a' }, call);
    assert.equal(services[0]?.calls.length, seen);
  });

  test('a stream of maximum age is replaced without an error', async () => {
    const service = new TestService();
    const server = await serve(service, { maxConnectionAgeMs: 100 });
    const client = connect([server.port]);
    using call = callFor(30_000);
    // The loop lasts several connection ages, with calls in each of them; a call that fails fails the test.
    const end = Date.now() + 600;
    for (let count = 0; Date.now() < end || count <= 100; count++) await client.get({ key: 'a' }, call);
  });

  test('without a server a call fails at once and names the service', async () => {
    const probe = net.createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as net.AddressInfo;
    probe.close();
    await once(probe, 'close');
    const client = connect([port]);
    for (let count = 0; count < 3; count++) {
      using call = callFor(20_000);
      await assert.rejects(
        client.get({ key: 'a' }, call),
        error => withCode(503)(error) && /Storage cannot be reached/.test((error as Error).message),
      );
    }
  });

  test('a pod that discards everything fails calls at their deadline, and is avoided later', async () => {
    const behind = new TestService();
    const server = await serve(behind);
    const other = new TestService();
    const proxy = new SilentProxy(server.port);
    opened.push(proxy);
    // The first pod by address is the silent one.
    const { port } = await serve(other, { host: '127.0.0.2' });
    const addresses = [`127.0.0.1:${await proxy.listen()}`, `127.0.0.2:${port}`];
    const client = connectRpc(testContract, { insecure: true, addresses });
    opened.push(client);
    using start = callFor(10_000);
    while (behind.calls.length === 0 || other.calls.length === 0)
      await Promise.all(Array.from({ length: 100 }, () => client.get({ key: 'a' }, start)));
    proxy.silent = true;
    using short = callFor(1_500);
    const first = assert.rejects(client.get({ key: 'a' }, short), withCode(504));
    using later = callFor(30_000);
    // Calls may go to the silent pod before the client knows that it is silent.
    await until(() => {
      client.get({ key: 'b' }, later).catch(() => {});
      return other.calls.some(({ call }) => call.deadline > start.deadline);
    }, 'a call to the other pod');
    await first;
    for (let count = 0; count < 20; count++) await client.get({ key: 'c' }, later);
  });

  test('calls beyond the limit of a stream are refused with 429', async () => {
    const server = await serve(new TestService(), { maxCallsPerStream: 5 });
    const client = connect([server.port]);
    await reachable(client);
    const controller = new AbortController();
    using call = callFor(30_000, controller.signal);
    const hanging = Array.from({ length: 5 }, () => client.get({ key: 'hang' }, call).catch(error => error));
    using other = callFor(30_000);
    await assert.rejects(
      client.get({ key: 'a' }, other),
      error => withCode(429)(error) && (error as StatusError).retryAfterSeconds === 1,
    );
    controller.abort();
    await Promise.all(hanging);
    await reachable(client);
  });

  test('an answer over the size limit fails its call alone', async () => {
    const server = await serve(new TestService());
    const client = connect([server.port]);
    using call = callFor(30_000);
    await assert.rejects(client.get({ key: 'bytes:17000000' }, call), error => error instanceof StatusError);
    await client.get({ key: 'a' }, call);
  });

  test('a disposed client fails current and later calls', async () => {
    const server = await serve(new TestService());
    const client = connect([server.port]);
    await reachable(client);
    using call = callFor(30_000);
    const attempt = assert.rejects(client.get({ key: 'hang' }, call), withCode(503));
    await client[Symbol.asyncDispose]();
    await attempt;
    await assert.rejects(client.get({ key: 'a' }, call), withCode(503));
  });
});

/** A TCP proxy that can fall silent: connections stay open, and bytes are dropped. */
class SilentProxy implements AsyncDisposable {
  silent = false;
  readonly #sockets = new Set<net.Socket>();
  readonly #server: net.Server;

  constructor(port: number) {
    this.#server = net.createServer(inbound => {
      const outbound = net.connect(port, '127.0.0.1');
      for (const [from, to] of [
        [inbound, outbound],
        [outbound, inbound],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => {});
        from.on('data', bytes => {
          if (!this.silent) to.write(bytes);
        });
        from.on('close', () => to.destroy());
      }
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as net.AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
