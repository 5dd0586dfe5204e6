import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { KmsPlugin, makeSocketFolder } from '@binnacle/storage/testing';
import { type AdminServer, adminServerFrom, at } from './admin-server.ts';
import { identity, kmsProvider, providerOf, writeEncryptionFile } from './setup/encryption-file.ts';
import { filesWithMarker } from './setup/find-marker.ts';
import { runBinnaclectl } from './setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { startTestServer } from './setup/test-server.ts';

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
const { path: folder } = resources.use(await createTemporaryDirectory());
const sockets = resources.use(makeSocketFolder());
const file = join(folder, 'encryption.yaml');

const newMarker = (): string => `marker${randomBytes(24).toString('hex')}`;
const secrets = '/api/v1/namespaces/default/secrets';
const configMaps = '/api/v1/namespaces/default/configmaps';

interface StartedServer extends AdminServer {
  readonly adminConfiguration: string;
}

async function start(dataDir: string, providers: readonly string[], reloads = false): Promise<StartedServer> {
  const encryptionProviderConfig = await writeEncryptionFile(file, providers);
  const server = await startTestServer({
    dataDir,
    encryptionProviderConfig,
    encryptionProviderConfigAutomaticReload: reloads,
    featureGates: featureGatesFrom('KMSv2=true'),
  });
  const { adminConfiguration } = server.standalone;
  return { ...(await adminServerFrom(server)), adminConfiguration };
}

async function createSecret(server: AdminServer, name: string, marker: string): Promise<void> {
  const body = { metadata: { name, annotations: { note: marker } }, stringData: { password: marker } };
  await server.expect(201, 'POST', secrets, { body });
}

async function readSecret(server: AdminServer, name: string): Promise<string> {
  const found = await server.expect(200, 'GET', `${secrets}/${name}`);
  return Buffer.from(String(at(found, 'data', 'password')), 'base64').toString();
}

/** Rewrites all Secrets; returns how many were stored again. */
async function rewrite(server: StartedServer): Promise<number> {
  const env = { ...process.env, KUBECONFIG: server.adminConfiguration };
  const { code, out, err } = await runBinnaclectl(['secrets', 'rewrite'], { env });
  assert.equal(code, 0, err);
  return Number(/^secrets: (\d+) rewritten/.exec(out)?.[1]);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const endsAt = performance.now() + 120_000; !(await holds()); ) {
    if (performance.now() > endsAt) throw new Error('the condition does not hold');
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

test('Secrets with a plugin of v2: encrypted in the store, rewritten after a rotation, readable without the old key', async () => {
  const dataDir = join(folder, 'v2');
  const marker = newMarker();
  await using plugin = await KmsPlugin.start({ endpoint: sockets.endpoint('v2') });
  {
    await using server = await start(dataDir, [
      kmsProvider('v2', { name: 'vault', endpoint: plugin.endpoint }),
      identity,
    ]);
    for (const name of ['a', 'b', 'c']) await createSecret(server, name, marker);
    assert.deepEqual(await filesWithMarker(dataDir, marker), []);
    const { body } = await server.send('GET', '/readyz?verbose');
    assert.match(String(body['text']), /\[\+\]kms-providers ok\n/);

    plugin.rotate();
    await until(async () => (await rewrite(server)) >= 3);
    assert.equal(await rewrite(server), 0);
    plugin.forgetOldKeys();
    assert.equal(await readSecret(server, 'a'), marker);
  }
  assert.deepEqual(await filesWithMarker(dataDir, marker), []);
  const before = plugin.count('v2/Decrypt');
  await using server = await start(dataDir, [
    kmsProvider('v2', { name: 'vault', endpoint: plugin.endpoint }),
  ]);
  for (const name of ['a', 'b', 'c']) assert.equal(await readSecret(server, name), marker);
  await server.expect(200, 'GET', secrets);
  assert.ok(plugin.count('v2/Decrypt') > before, 'the data keys came from the plugin');
});

test('while a plugin is away writes of Secrets fail and say why, nothing is in plaintext, and everything else goes on', async () => {
  const dataDir = join(folder, 'away');
  const marker = newMarker();
  const keyFile = join(folder, 'away-keys');
  const endpoint = sockets.endpoint('away');
  const plugin = await KmsPlugin.start({ endpoint, keyFile });
  const provider = kmsProvider('v1', { name: 'vault', endpoint, timeout: '2s' });
  await using server = await start(dataDir, [provider]);
  await until(async () => (await trySecret(server, 'before', marker)) !== 500);
  await plugin[Symbol.asyncDispose]();

  const body = { metadata: { name: 'while' }, stringData: { password: marker } };
  const failed = await server.send('POST', secrets, { body });
  assert.equal(failed.code, 500);
  assert.equal(failed.body['reason'], 'InternalError');
  assert.match(
    String(failed.body['message']),
    /^Internal error occurred: unable to transform key "\/core\/secrets\/default\/while": KMS plugin "vault" cannot be reached$/,
  );
  await server.expect(404, 'GET', `${secrets}/while`);
  assert.equal(await readSecret(server, 'before'), marker, 'its data key is cached');
  await server.expect(201, 'POST', configMaps, { body: { metadata: { name: 'while' } } });
  await until(async () => (await server.send('GET', '/readyz/kms-providers')).code === 500);
  const { body: health } = await server.send('GET', '/readyz?verbose');
  assert.match(
    String(health['text']),
    /\[-\]kms-providers failed, not required: kms-provider-0: KMS plugin "vault" cannot be reached\n/,
  );
  assert.deepEqual(await filesWithMarker(dataDir, marker), []);

  await using _restarted = await KmsPlugin.start({ endpoint, keyFile });
  await until(async () => (await trySecret(server, 'after', marker)) !== 500);
  assert.equal(await readSecret(server, 'after'), marker);
  await until(async () => (await server.send('GET', '/readyz/kms-providers')).code === 200);
});

async function trySecret(server: AdminServer, name: string, marker: string): Promise<number> {
  const body = { metadata: { name }, stringData: { password: marker } };
  return (await server.send('POST', secrets, { body })).code;
}

test('a reload moves Secrets from a key of the file to a plugin, and to another plugin', async () => {
  const dataDir = join(folder, 'reload');
  const marker = newMarker();
  await using first = await KmsPlugin.start({ endpoint: sockets.endpoint('first') });
  await using second = await KmsPlugin.start({ endpoint: sockets.endpoint('second') });
  const local = providerOf('aesgcm', 'a');
  await using server = await start(dataDir, [local], true);
  await createSecret(server, 'moved', marker);
  const one = kmsProvider('v1', { name: 'one', endpoint: first.endpoint });
  const two = kmsProvider('v2', { name: 'two', endpoint: second.endpoint });
  await writeEncryptionFile(file, [one, local]);
  await until(async () => (await rewrite(server)) > 0);
  assert.ok(first.count('v1/Encrypt') > 0);
  await writeEncryptionFile(file, [two, one]);
  await until(async () => (await rewrite(server)) > 0);
  assert.equal(await readSecret(server, 'moved'), marker);
  assert.deepEqual(await filesWithMarker(dataDir, marker), []);
});
