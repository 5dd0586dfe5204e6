import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { groups } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { bundledProgram, currentBundles } from '@binnacle/compose/testing';
import { deadlineIn } from '@binnacle/proto';
import { openEmbeddedStorage } from '@binnacle/storage/testing';
import { storageKeyFrom, storeFormKey } from '@binnacle/storage-contract';
import { type AdminServer, adminServerFrom, at } from './admin-server.ts';
import { identity, providerOf, writeEncryptionFile, wrongKey } from './setup/encryption-file.ts';
import { filesWithMarker } from './setup/find-marker.ts';
import { runBinnaclectl } from './setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { startTestServer } from './setup/test-server.ts';

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
const { path: folder } = resources.use(await createTemporaryDirectory());
const file = join(folder, 'encryption.yaml');
let stores = 0;

const newMarker = (): string => `marker${randomBytes(24).toString('hex')}`;
const newDataFolder = (): string => join(folder, `data-${stores++}`);

interface StartedServer extends AdminServer {
  readonly adminConfiguration: string;
}

/** Starts a server on a data folder, with these providers of Secrets; without any nothing is encrypted. */
async function start(dataDir: string, ...providers: string[]): Promise<StartedServer> {
  const encryptionProviderConfig =
    providers.length === 0 ? undefined : await writeEncryptionFile(file, providers);
  const server = await startTestServer({ dataDir, encryptionProviderConfig });
  const { adminConfiguration } = server.standalone;
  return { ...(await adminServerFrom(server)), adminConfiguration };
}

/** A Secret that has a marker as it is and in base64. */
const secretWith = (name: string, marker: string): JsonObject => ({
  metadata: { name, annotations: { note: marker } },
  stringData: { password: marker },
});

const secrets = '/api/v1/namespaces/default/secrets';

/** Writes a marker in each way, and leaves it in the Secret `kept`. */
async function writeMarker(server: AdminServer, marker: string): Promise<void> {
  for (const name of ['kept', 'deleted']) {
    await server.expect(201, 'POST', secrets, { body: secretWith(name, `first ${marker}`) });
    await server.expect(200, 'PUT', `${secrets}/${name}`, { body: secretWith(name, marker) });
    await server.expect(200, 'PATCH', `${secrets}/${name}`, {
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { changed: 'true' } } },
    });
  }
  await server.expect(200, 'DELETE', `${secrets}/deleted`);
  assert.equal(await readMarker(server), marker);
}

async function readMarker(server: AdminServer): Promise<string> {
  const found = await server.expect(200, 'GET', `${secrets}/kept`);
  return Buffer.from(String(at(found, 'data', 'password')), 'base64').toString();
}

async function rewrite(server: StartedServer, ...flags: string[]): Promise<string> {
  const env = { ...process.env, KUBECONFIG: server.adminConfiguration };
  const { code, out, err } = await runBinnaclectl(['secrets', 'rewrite', ...flags], { env });
  assert.equal(code, 0, err);
  return out;
}

for (const kind of ['aescbc', 'aesgcm', 'secretbox'] as const)
  test(`no file of the store has what ${kind} encrypts, while and after the server runs`, async () => {
    const dataDir = newDataFolder();
    const [hidden, shown] = [newMarker(), newMarker()];
    {
      await using server = await start(dataDir, providerOf(kind, 'a'));
      await writeMarker(server, hidden);
      const map = { metadata: { name: 'shown' }, data: { text: shown } };
      await server.expect(201, 'POST', '/api/v1/namespaces/default/configmaps', { body: map });
      assert.deepEqual(await filesWithMarker(dataDir, hidden), []);
    }
    assert.deepEqual(await filesWithMarker(dataDir, hidden), []);
    assert.deepEqual(await filesWithMarker(dataDir, shown), [join(dataDir, 'store/store.mdb')]);
    await using server = await start(dataDir, providerOf(kind, 'a'));
    assert.equal(await readMarker(server), hidden);
  });

test('without a configuration the store has Secrets in plaintext', async () => {
  const dataDir = newDataFolder();
  const marker = newMarker();
  {
    await using server = await start(dataDir);
    await writeMarker(server, marker);
  }
  assert.deepEqual(await filesWithMarker(dataDir, marker), [join(dataDir, 'store/store.mdb')]);
});

suite('the procedures of operations.md', () => {
  const dataDir = newDataFolder();
  const marker = newMarker();
  const counts = /^secrets: (\d+) rewritten, (\d+) current already\n$/;

  test('switching on: what was there is encrypted once it is rewritten, and only what is stale is written', async () => {
    {
      await using server = await start(dataDir);
      await writeMarker(server, marker);
    }
    await using server = await start(dataDir, providerOf('aesgcm', 'a'), identity);
    const before = await server.expect(200, 'GET', `${secrets}/kept`);
    const [, rewritten] = counts.exec(await rewrite(server)) ?? [];
    assert.ok(Number(rewritten) > 0);
    const afterwards = await server.expect(200, 'GET', `${secrets}/kept`);
    assert.notEqual(at(afterwards, 'metadata', 'resourceVersion'), at(before, 'metadata', 'resourceVersion'));
    assert.deepEqual(at(afterwards, 'metadata', 'managedFields'), at(before, 'metadata', 'managedFields'));
    assert.equal(await rewrite(server), `secrets: 0 rewritten, ${rewritten} current already\n`);
    assert.equal(await rewrite(server, '-n', 'default'), 'secrets: 0 rewritten, 1 current already\n');
  });

  test('rotating: the new key decrypts first and encrypts then, and the old one goes after a rewrite', async () => {
    for (const keys of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      await using server = await start(dataDir, providerOf('aesgcm', ...keys), identity);
      const [, rewritten] = counts.exec(await rewrite(server)) ?? [];
      assert.equal(Number(rewritten) > 0, keys[0] === 'b');
    }
    await using server = await start(dataDir, providerOf('aesgcm', 'b'));
    assert.equal(await readMarker(server), marker);
    await server.expect(200, 'GET', secrets);
  });

  test('a PUT and an apply without a change store what is stale too', async () => {
    await using server = await start(dataDir, providerOf('secretbox', 'c'), providerOf('aesgcm', 'b'));
    const stale = await server.expect(200, 'GET', `${secrets}/kept`);
    const put = await server.expect(200, 'PUT', `${secrets}/kept`, { body: stale });
    assert.notEqual(at(put, 'metadata', 'resourceVersion'), at(stale, 'metadata', 'resourceVersion'));
    const repeated = await server.expect(200, 'PUT', `${secrets}/kept`, { body: put });
    assert.equal(at(repeated, 'metadata', 'resourceVersion'), at(put, 'metadata', 'resourceVersion'));
    await rewrite(server);
  });

  test('switching off: plaintext is written, and what is encrypted is read until it is rewritten; only then the file may go', async () => {
    await assert.rejects(start(dataDir), {
      name: 'StoreFormRefusal',
      message: /^the value of \/core\/secrets\/.* is encrypted, .* set --encryption-provider-config /,
    });
    {
      await using server = await start(dataDir, identity, providerOf('secretbox', 'c'));
      assert.equal(await readMarker(server), marker);
      await rewrite(server);
    }
    assert.deepEqual(await filesWithMarker(dataDir, marker), [join(dataDir, 'store/store.mdb')]);
    await using server = await start(dataDir);
    assert.equal(await readMarker(server), marker);
  });
});

test('a file that lacks a key is refused; an object whose key is another one is named in the answers, and everything else is served', async () => {
  const dataDir = newDataFolder();
  const marker = newMarker();
  {
    await using server = await start(dataDir, providerOf('aesgcm', 'a'));
    await writeMarker(server, marker);
  }
  await assert.rejects(start(dataDir, providerOf('aesgcm', 'b')), {
    name: 'StoreFormRefusal',
    message: /^the value of \/core\/secrets\/.* needs the provider aesgcm with a key of the name "a"/,
  });
  {
    await using server = await start(dataDir, providerOf('aesgcm', 'b', wrongKey('a')));
    const says = (name: string) =>
      `Internal error occurred: unable to transform key "/core/secrets/default/${name}": Unsupported state or unable to authenticate data`;
    const got = await server.send('GET', `${secrets}/kept`);
    assert.deepEqual(
      [got.code, got.body['reason'], got.body['message']],
      [500, 'InternalError', says('kept')],
    );
    const listed = await server.send('GET', secrets);
    assert.equal(listed.code, 500);
    assert.equal(listed.body['message'], says('kept'));
    const anyState = await server.send('GET', `${secrets}?resourceVersion=0`);
    assert.equal(anyState.code, 500, 'a type that cannot be listed is not shown as empty');
    assert.equal((await server.send('GET', `${secrets}/kept?resourceVersion=0`)).code, 500);
    const put = await server.send('PUT', `${secrets}/kept`, { body: secretWith('kept', 'other') });
    assert.equal(put.code, 500);
    await server.expect(201, 'POST', secrets, { body: secretWith('new', 'readable') });
    await server.expect(200, 'GET', `${secrets}/new`);
    await server.expect(200, 'GET', '/api/v1/namespaces/default/configmaps');
    await server.expect(200, 'GET', '/readyz');
  }
  await using server = await start(dataDir, providerOf('aesgcm', 'b', 'a'));
  assert.equal(await readMarker(server), marker);
  await server.expect(200, 'GET', secrets);
});

test('objects that are encrypted are encrypted under their keys, those of custom types too', async () => {
  const dataDir = newDataFolder();
  const types = ['configmaps', 'anvils.acme.example'];
  const encryptionProviderConfig = await writeEncryptionFile(file, [providerOf('aesgcm', 'a')], types);
  {
    const server = await adminServerFrom(await startTestServer({ dataDir, encryptionProviderConfig }));
    await using _server = server;
    await server.expect(201, 'POST', `/apis/${groups.apiextensions}/v1/customresourcedefinitions`, {
      body: anvilDefinition,
    });
    const body = { apiVersion: 'acme.example/v1', kind: 'Anvil', metadata: { name: 'one' } };
    const anvils = '/apis/acme.example/v1/namespaces/default/anvils';
    // Until the definition is established.
    for (let tries = 0; (await server.send('POST', anvils, { body })).code !== 201; tries++)
      assert.ok(tries < 1000, 'the definition is established');
    await server.expect(201, 'POST', secrets, { body: secretWith('plain', 'plain') });
    await server.expect(200, 'GET', `${anvils}/one`);
  }
  await using store = await openEmbeddedStorage({ directory: join(dataDir, 'store') });
  const call = { signal: new AbortController().signal, deadline: deadlineIn(30_000) };
  const { records } = await store.list({ prefix: storageKeyFrom('/') }, call);
  const encrypted = records.filter(({ value }) =>
    Buffer.from(value).toString('latin1').startsWith('k8s:enc:'),
  );
  assert.ok(encrypted.some(({ key }) => key === '/acme.example/anvils/default/one'));
  assert.ok(
    encrypted.every(
      ({ key }) => key.startsWith('/acme.example/anvils/') || key.startsWith('/core/configmaps/'),
    ),
  );
  assert.ok(records.some(({ key }) => key === '/core/secrets/default/plain'));
});

test('a start that waits for values that it cannot decrypt ends with SIGTERM', async () => {
  const dataDir = newDataFolder();
  {
    // As a release before the record of encrypted types left it, whose successor does not know that it needs a configuration.
    await using server = await start(dataDir, providerOf('aesgcm', 'a'));
    await server.expect(201, 'POST', secrets, { body: secretWith('a', 'a') });
  }
  {
    await using store = await openEmbeddedStorage({ directory: join(dataDir, 'store') });
    const call = { signal: new AbortController().signal, deadline: deadlineIn(30_000) };
    await store.transact({ preconditions: [], puts: [], deletes: [storeFormKey] }, call);
  }
  const program = bundledProgram(await currentBundles(), 'standalone');
  const flags = ['--port=0', `--data-dir=${dataDir}`, '--log-format=json'];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  try {
    let log = '';
    child.stdout.on('data', (text: Buffer) => assert.doesNotMatch(text.toString(), /is ready/));
    // To close the pipe would end the process with an error at its next line.
    for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
      log += text;
      if (log.includes('types cannot be listed')) break;
    }
    child.stderr.resume();
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

const anvilDefinition: JsonObject = {
  apiVersion: `${groups.apiextensions}/v1`,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'anvils.acme.example' },
  spec: {
    group: 'acme.example',
    scope: 'Namespaced',
    names: { plural: 'anvils', singular: 'anvil', kind: 'Anvil', listKind: 'AnvilList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
