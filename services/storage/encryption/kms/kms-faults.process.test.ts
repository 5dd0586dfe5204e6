import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freezeProcess } from '@binnacle/backends';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { status } from '@grpc/grpc-js';
import { createKmsTransformer, type KmsTransformer } from './create-kms-transformer.ts';
import { KmsError, type KmsFailure } from './kms-error.ts';
import { failure, KmsPlugin } from './test-drivers/kms-plugin.ts';
import { secretKey, startKmsTest, until } from './test-drivers/kms-test.ts';
import { makeSocketFolder, type SocketFolder } from './test-drivers/socket-folder.ts';

const value = Buffer.from('{"kind":"Secret"}');
const key = secretKey('a');
const versions = ['v1', 'v2'] as const;
type ApiVersion = (typeof versions)[number];

const shortMs = 300;

interface Started extends AsyncDisposable {
  readonly folder: SocketFolder;
  readonly transformer: KmsTransformer;
  /** Starts a plugin as a process; all have the same keys. */
  start(): Promise<ChildProcess>;
}

function prepare(apiVersion: ApiVersion, timeout: number): Started {
  const folder = makeSocketFolder();
  const children: ChildProcess[] = [];
  const transformer = createKmsTransformer(
    { name: 'test', apiVersion, endpoint: folder.endpoint(), timeout, cachesize: -1 },
    {
      log: silentLogger,
      metrics: createMetrics({ process: false }),
      healthIntervals: { goodMs: 20, failedMs: 20 },
    },
  );
  return {
    folder,
    transformer,
    async start() {
      const program = join(import.meta.dirname, 'test-drivers/kms-plugin-process.ts');
      const child = fork(program, [folder.endpoint(), join(folder.path, 'keys')], { stdio: 'inherit' });
      children.push(child);
      await once(child, 'message');
      return child;
    },
    async [Symbol.asyncDispose]() {
      await transformer[Symbol.asyncDispose]();
      for (const child of children) await end(child, 'SIGKILL');
      folder[Symbol.dispose]();
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function assertFails(
  work: () => unknown,
  failures: readonly KmsFailure[],
  atMostMs = 30_000,
): Promise<void> {
  const startedAt = performance.now();
  await assert.rejects(
    async () => await work(),
    (thrown: unknown) => {
      assert.ok(thrown instanceof KmsError && failures.includes(thrown.failure), String(thrown));
      assert.match(thrown.message, /KMS plugin "test"/);
      return true;
    },
  );
  const took = performance.now() - startedAt;
  assert.ok(took < atMostMs, `it took ${took} ms`);
}

for (const apiVersion of versions)
  describe(`API ${apiVersion}`, () => {
    test('without a plugin, writes and reads fail in time; with one that starts, they go on', async () => {
      await using kms = prepare(apiVersion, shortMs);
      await assertFails(() => kms.transformer.encrypt(value, key), ['unreachable']);
      await assert.rejects(kms.transformer.checkHealth(), /KMS plugin "test" cannot be reached/);
      const child = await kms.start();
      await until(() => isWriting(kms.transformer));
      const stored = await untilWritten(kms.transformer);
      await end(child, 'SIGKILL');
      await until(async () => !(await isWriting(kms.transformer)));
      await assertFails(() => kms.transformer.decrypt(stored, key), ['unreachable']);
    });

    test('a call that is made while the plugin restarts waits for it', async () => {
      await using kms = prepare(apiVersion, 30_000);
      const first = await kms.start();
      const stored = await kms.transformer.encrypt(value, key);
      await end(first, 'SIGKILL');
      const read = kms.transformer.decrypt(stored, key);
      await kms.start();
      assert.deepEqual(Buffer.from((await read).value), value);
      assert.deepEqual(Buffer.from((await kms.transformer.decrypt(stored, key)).value), value);
    });

    test('a frozen plugin fails calls in time, and a plugin that takes its place is found', async () => {
      await using kms = prepare(apiVersion, shortMs);
      const frozen = await kms.start();
      const stored = await untilWritten(kms.transformer);
      await freezeProcess(frozen.pid);
      await assertFails(() => kms.transformer.decrypt(stored, key), ['silent', 'unreachable']);
      await until(async () => !(await isWriting(kms.transformer)));
      await assertFails(() => kms.transformer.encrypt(value, key), ['silent', 'unreachable']);
      // The old process still has the old socket open, and its connections.
      await kms.start();
      await until(() => isReading(kms.transformer, stored));
      await until(() => isWriting(kms.transformer));
      frozen.kill('SIGCONT');
      await until(() => isReading(kms.transformer, stored));
    });

    test('a plugin that is frozen and goes on is used again', async () => {
      await using kms = prepare(apiVersion, shortMs);
      const child = await kms.start();
      const stored = await untilWritten(kms.transformer);
      await freezeProcess(child.pid);
      await assertFails(() => kms.transformer.decrypt(stored, key), ['silent', 'unreachable']);
      child.kill('SIGCONT');
      await until(() => isReading(kms.transformer, stored));
    });

    test('a socket behind which nothing speaks gRPC fails calls in time, and costs few connections', async () => {
      await using kms = prepare(apiVersion, shortMs);
      const { pathname } = new URL(kms.folder.endpoint());
      const sockets = new Set<Socket>();
      const server = createServer(socket => {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
      });
      server.listen(pathname);
      await once(server, 'listening');
      for (let call = 0; call < 5; call++)
        await assertFails(() => kms.transformer.encrypt(value, key), ['unreachable', 'silent']);
      // One of the client from before the socket was there, one of the client that took its place.
      assert.ok(sockets.size <= 2, `${sockets.size} connections`);
      // Another plugin takes its place, and the connections that were never accepted stay open.
      rmSync(pathname);
      await kms.start();
      await until(() => isWriting(kms.transformer));
      for (const socket of sockets) socket.destroy();
      server.close();
    });
  });

async function isHealthy(transformer: KmsTransformer): Promise<boolean> {
  return await transformer.checkHealth().then(
    () => true,
    () => false,
  );
}

async function isWriting(transformer: KmsTransformer): Promise<boolean> {
  try {
    return (await transformer.encrypt(value, key)).length > 0;
  } catch {
    return false;
  }
}

async function isReading(transformer: KmsTransformer, stored: Uint8Array): Promise<boolean> {
  try {
    return value.equals((await transformer.decrypt(stored, key)).value);
  } catch {
    return false;
  }
}

/** Writes until that succeeds: a slow machine may need more time than the transformer gives the plugin. */
async function untilWritten(transformer: KmsTransformer): Promise<Uint8Array> {
  let stored: Uint8Array | undefined;
  await until(async () => {
    stored = await Promise.resolve(transformer.encrypt(value, key)).catch(() => undefined);
    return stored !== undefined;
  });
  return stored!; // It was written.
}

for (const apiVersion of versions)
  test(`API ${apiVersion}: answers that are late, too large, empty or not of the API fail the call`, async () => {
    const intervals = { goodMs: 20, failedMs: 20 };
    await using kms = await startKmsTest(apiVersion, { cachesize: -1, timeout: 2000, intervals });
    const stored = await untilWritten(kms.transformer);
    const answers: readonly [fault: () => unknown, failures: readonly KmsFailure[]][] = [
      [() => new Promise(() => {}), ['silent', 'unreachable']],
      [() => Buffer.alloc(1_000_000), ['refused']],
      [() => Buffer.from('0a05', 'hex'), ['refused']],
      [() => Buffer.from('not a message of protobuf'), ['refused']],
      [() => Buffer.alloc(0), ['malformed']],
      [() => Promise.reject(failure(status.PERMISSION_DENIED, 'the vault says no')), ['refused']],
    ];
    for (const [fault, failures] of answers) {
      kms.plugin.fault = ({ method }, answer) => (method.endsWith('/Decrypt') ? fault() : answer());
      await assertFails(() => kms.transformer.decrypt(stored, key), failures);
      kms.plugin.fault = ({ method }, answer) => (/Encrypt|Status/.test(method) ? fault() : answer());
      await until(async () => !(await isHealthy(kms.transformer)));
      await assertFails(() => kms.transformer.encrypt(value, key), failures);
      kms.plugin.fault = (_call, answer) => answer();
      await until(() => isReading(kms.transformer, stored));
    }
  });

test('when the plugin is silent, thousands of reads that wait for it fail with the first', async () => {
  await using kms = await startKmsTest('v1', { cachesize: -1 });
  const stored = await Promise.all(
    Array.from({ length: 200 }, (_, at) => kms.transformer.encrypt(value, secretKey(at))),
  );
  await using other = await startOther(kms.plugin);
  const before = kms.plugin.count('v1/Decrypt');
  kms.plugin.fault = ({ method }, answer) => (method === 'v1/Decrypt' ? new Promise(() => {}) : answer());
  const reads = stored.map(async (each, at) => await other.decrypt(each, secretKey(at)));
  const outcomes = await Promise.allSettled(reads);
  assert.ok(outcomes.every(outcome => outcome.status === 'rejected' && outcome.reason instanceof KmsError));
  const calls = kms.plugin.count('v1/Decrypt') - before;
  assert.ok(calls <= 64, `${calls} calls, in two times the limit of one`);
});

/** Creates another transformer of a plugin, with a short timeout. */
async function startOther(plugin: KmsPlugin): Promise<KmsTransformer> {
  const transformer = createKmsTransformer(
    { name: 'test', apiVersion: 'v1', endpoint: plugin.endpoint, timeout: shortMs, cachesize: -1 },
    { log: silentLogger, metrics: createMetrics({ process: false }) },
  );
  await untilWritten(transformer);
  return transformer;
}

test('a plugin that answers in its time but to few calls at once serves all that wait', async () => {
  await using kms = await startKmsTest('v1', { cachesize: -1 });
  const stored = await Promise.all(
    Array.from({ length: 200 }, (_, at) => kms.transformer.encrypt(value, secretKey(at))),
  );
  kms.plugin.fault = async (_call, answer) => {
    await new Promise(resolve => setTimeout(resolve, 20));
    return answer();
  };
  const read = await Promise.all(stored.map((each, at) => kms.transformer.decrypt(each, secretKey(at))));
  assert.ok(read.every(each => value.equals(each.value)));
});

test('a transformer that is disposed lets calls under way end', async () => {
  const kms = await startKmsTest('v1', { cachesize: -1 });
  const stored = await kms.transformer.encrypt(value, key);
  let release = () => {};
  kms.plugin.fault = async ({ method }, answer) => {
    if (method === 'v1/Decrypt') await new Promise<void>(resolve => (release = resolve));
    return answer();
  };
  const read = Promise.resolve(kms.transformer.decrypt(stored, key));
  await until(async () => kms.plugin.count('v1/Decrypt') === 1);
  let isDisposed = false;
  const disposed = kms.transformer[Symbol.asyncDispose]().then(() => (isDisposed = true));
  await new Promise(resolve => setTimeout(resolve, 100));
  assert.equal(isDisposed, false);
  release();
  assert.deepEqual(Buffer.from((await read).value), value);
  await disposed;
  await kms[Symbol.asyncDispose]();
});

test('a socket of the abstract namespace', async () => {
  const endpoint = `unix:///@binnacle-kms-${process.pid}`;
  await using _plugin = await KmsPlugin.start({ endpoint });
  await using transformer = createKmsTransformer(
    { name: 'test', apiVersion: 'v2', endpoint, timeout: 30_000 },
    { log: silentLogger, metrics: createMetrics({ process: false }) },
  );
  const stored = await transformer.encrypt(value, key);
  assert.deepEqual(Buffer.from((await transformer.decrypt(stored, key)).value), value);
});

for (const endpoint of [
  'tcp://127.0.0.1:80',
  '/run/kms.sock',
  'unix:///',
  'unix://host/run/kms.sock',
  'unix:///run/kms.sock?a=b',
  'unix:///run/%zz',
  `unix:///${'a'.repeat(108)}`,
])
  test(`refused as an endpoint: ${endpoint.slice(0, 40)}`, () => {
    assert.throws(
      () =>
        createKmsTransformer(
          { name: 'test', apiVersion: 'v1', endpoint },
          { log: silentLogger, metrics: createMetrics({ process: false }) },
        ),
      /(invalid endpoint|unsupported scheme "tcp") for (kms|KMS) provider/,
    );
  });
