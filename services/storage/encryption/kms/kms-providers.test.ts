import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import type { KmsProvider } from './create-kms-transformer.ts';
import { KmsProviders } from './kms-providers.ts';
import { KmsPlugin } from './test-drivers/kms-plugin.ts';
import { secretKey, until } from './test-drivers/kms-test.ts';
import { makeSocketFolder, type SocketFolder } from './test-drivers/socket-folder.ts';

const value = Buffer.from('{}');
const key = secretKey('a');

/** Counts the connections to a plugin: clients connect to the socket `name`. */
async function countConnections(folder: SocketFolder, plugin: KmsPlugin, name: string) {
  const counter = { open: 0, made: 0, endpoint: folder.endpoint(name) };
  const server = createServer(socket => {
    counter.open++;
    counter.made++;
    const onward = connect(new URL(plugin.endpoint).pathname);
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.on('close', () => {
      counter.open--;
      onward.destroy();
    });
  });
  server.listen(new URL(counter.endpoint).pathname);
  await once(server, 'listening');
  return { ...{ [Symbol.dispose]: () => void server.close() }, counter };
}

test('a provider that stays keeps its connection and its data keys; one that goes is closed once its calls have ended', async () => {
  using folder = makeSocketFolder();
  await using plugin = await KmsPlugin.start({ endpoint: folder.endpoint() });
  using one = await countConnections(folder, plugin, 'one.sock');
  using two = await countConnections(folder, plugin, 'two.sock');
  await using providers = new KmsProviders({ log: silentLogger, metrics: createMetrics({ process: false }) });
  const stays: KmsProvider = {
    name: 'one',
    apiVersion: 'v1',
    endpoint: one.counter.endpoint,
    timeout: 30_000,
  };
  const goes: KmsProvider = {
    name: 'two',
    apiVersion: 'v2',
    endpoint: two.counter.endpoint,
    timeout: 30_000,
  };
  const kept = providers.find({ ...stays });
  const stored = await kept.encrypt(value, key);
  let release = () => {};
  await providers.find(goes).encrypt(value, key);
  plugin.fault = async ({ method }, answer) => {
    if (method === 'v2/Decrypt') await new Promise<void>(resolve => (release = resolve));
    return answer();
  };
  await using writer = new KmsProviders({ log: silentLogger, metrics: createMetrics({ process: false }) });
  const other = await writer.find({ ...goes, endpoint: plugin.endpoint }).encrypt(value, key);
  const read = Promise.resolve(providers.find(goes).decrypt(other, key));
  await until(async () => plugin.count('v2/Decrypt') === 1);

  providers.keep([{ ...stays }]);
  assert.equal(providers.find({ ...stays }), kept);
  assert.ok(!(kept.decrypt(stored, key) instanceof Promise));
  assert.equal(two.counter.open, 1);
  release();
  assert.deepEqual(Buffer.from((await read).value), value);
  await until(async () => two.counter.open === 0);
  assert.deepEqual([one.counter.open, one.counter.made], [1, 1]);
});

test('the health names every plugin that does not work', async () => {
  using folder = makeSocketFolder();
  await using plugin = await KmsPlugin.start({ endpoint: folder.endpoint() });
  await using providers = new KmsProviders({ log: silentLogger, metrics: createMetrics({ process: false }) });
  await providers.checkHealth();
  providers.find({ name: 'works', apiVersion: 'v1', endpoint: plugin.endpoint, timeout: 30_000 });
  await providers.checkHealth();
  providers.find({ name: 'away', apiVersion: 'v1', endpoint: folder.endpoint('none'), timeout: 50 });
  await assert.rejects(providers.checkHealth(), {
    name: 'Refusal',
    message: 'kms-provider-1: KMS plugin "away" cannot be reached',
  });
});
