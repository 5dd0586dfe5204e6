import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@binnacle/api-objects';
import { findFreePort } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';
import { at } from './admin-server.ts';
import { identity, providerOf, writeEncryptionFile } from './setup/encryption-file.ts';
import { filesWithMarker } from './setup/find-marker.ts';
import { runBinnaclectl } from './setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
const { path: dataDirectory } = resources.use(await createTemporaryDirectory());
const file = join(dataDirectory, 'encryption.yaml');
const [hidden, shown] = [0, 1].map(() => `marker${randomBytes(24).toString('hex')}`) as [string, string]; // Two.

let form: Distributed;
let client: ApiClient;
const secrets = '/api/v1/namespaces/default/secrets';
const maps = '/api/v1/namespaces/default/configmaps';

test('neither etcd nor Kafka has on its disk what is encrypted, and etcd has what is not', async () => {
  await writeEncryptionFile(file, [providerOf('aesgcm', 'a'), identity]);
  form = resources.use(
    await startDistributed({
      dataDirectory,
      port: await findFreePort(),
      arguments: {
        storage: [
          `--encryption-provider-config=${file}`,
          '--encryption-provider-config-automatic-reload=true',
        ],
      },
    }),
  );
  const configuration = loadClientConfiguration(form.adminConfiguration);
  client = resources.use(createApiClient({ configuration, userAgent: 'encryption-test' }));
  const body = {
    metadata: { name: 'kept', annotations: { note: hidden } },
    stringData: { password: hidden },
  };
  for (const name of ['kept', 'deleted']) {
    await client.request<JsonObject>({
      method: 'POST',
      path: secrets,
      body: { ...body, metadata: { ...body.metadata, name } },
    });
    await client.request<JsonObject>({
      method: 'PATCH',
      path: `${secrets}/${name}`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { changed: hidden.slice(0, 60) } }, stringData: { more: hidden } },
    });
  }
  await client.request<JsonObject>({ method: 'DELETE', path: `${secrets}/deleted` });
  await client.request<JsonObject>({
    method: 'POST',
    path: maps,
    body: { metadata: { name: 'shown' }, data: { text: shown } },
  });
  // Gateways follow the topic: a read of the newest state shows that it has the changes.
  const found = await client.request<JsonObject>({ method: 'GET', path: `${secrets}/kept` });
  assert.equal(Buffer.from(String(at(found, 'data', 'password')), 'base64').toString(), hidden);
  assert.deepEqual(await filesWithMarker(dataDirectory, hidden), []);
  const inEtcd = await filesWithMarker(join(dataDirectory, 'etcd'), shown);
  assert.ok(
    inEtcd.some(path => path.endsWith('.wal')),
    `the search finds a ConfigMap: ${inEtcd}`,
  );
  const inKafka = await filesWithMarker(dataDirectory, 'core/secrets');
  assert.ok(
    inKafka.some(path => path.includes('kafka') && path.endsWith('.log')),
    `the search finds the types of records: ${inKafka}`,
  );
});

test('keys are rotated under way: every pod reads the new key before one of them writes with it', async () => {
  const rewritten = async () => {
    const env = { ...process.env, KUBECONFIG: form.adminConfiguration };
    const { code, out, err } = await runBinnaclectl(['secrets', 'rewrite'], { env });
    assert.equal(code, 0, err);
    return Number(/^secrets: (\d+) rewritten/.exec(out)?.[1]);
  };
  const reloaded = async (times: number): Promise<void> => {
    const giveUpAt = performance.now() + 180_000;
    for (const name of ['storage-1', 'storage-2'])
      for (;;) {
        const metrics = await fetchMetrics(form.operationsPort(name));
        const [, count = 0] =
          /^apiserver_encryption_config_controller_automatic_reload_success_total (\d+)/m.exec(metrics) ?? [];
        if (Number(count) >= times) break;
        assert.ok(performance.now() < giveUpAt, `${name} reloads`);
        await pause(200);
      }
  };
  await writeEncryptionFile(file, [providerOf('aesgcm', 'a', 'b'), identity]);
  await reloaded(1);
  assert.equal(await rewritten(), 0);
  await writeEncryptionFile(file, [providerOf('aesgcm', 'b', 'a'), identity]);
  await reloaded(2);
  assert.ok((await rewritten()) > 0);
  assert.equal(await rewritten(), 0);
  await writeEncryptionFile(file, [providerOf('aesgcm', 'b')]);
  await reloaded(3);
  const found = await client.request<JsonObject>({ method: 'GET', path: `${secrets}/kept` });
  assert.equal(Buffer.from(String(at(found, 'data', 'password')), 'base64').toString(), hidden);
});

test('watches go on while a Secret cannot be decrypted, and its type is back with its key', async () => {
  await writeEncryptionFile(file, [providerOf('aesgcm', 'c')]);
  const listing = async (): Promise<number> => {
    try {
      await client.request<JsonObject>({ method: 'GET', path: `${secrets}?limit=500` });
      return 200;
    } catch (thrown) {
      if (!(thrown instanceof StatusError)) throw thrown;
      return thrown.code;
    }
  };
  for (const name of ['storage-1', 'storage-2']) await form.restartWith(name);
  await client.request<JsonObject>({
    method: 'POST',
    path: secrets,
    body: { metadata: { name: 'other' }, stringData: { a: 'b' } },
  });
  // A change with values of a key that is gone.
  await writeEncryptionFile(file, [providerOf('aesgcm', 'd')]);
  for (const name of ['storage-1', 'storage-2']) await form.restartWith(name);
  await client.request<JsonObject>({ method: 'POST', path: maps, body: { metadata: { name: 'later' } } });
  await client.request<JsonObject>({ method: 'GET', path: `${maps}/later` });
  await client.request<JsonObject>({ method: 'GET', path: `${maps}?resourceVersion=0` });
  await writeEncryptionFile(file, [providerOf('aesgcm', 'd', 'c', 'b')]);
  const giveUpAt = performance.now() + 180_000;
  while ((await listing()) !== 200) {
    assert.ok(performance.now() < giveUpAt, 'the type is back');
    await pause(200);
  }
});

async function fetchMetrics(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return await response.text();
}
