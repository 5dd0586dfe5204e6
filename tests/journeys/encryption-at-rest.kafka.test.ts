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
import { KmsPlugin, makeSocketFolder } from '@binnacle/storage/testing';
import { at } from './admin-server.ts';
import { identity, kmsProvider, providerOf, writeEncryptionFile, wrongKey } from './setup/encryption-file.ts';
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

/** Rewrites all Secrets; returns how many were stored again. */
async function rewritten(): Promise<number> {
  const env = { ...process.env, KUBECONFIG: form.adminConfiguration };
  const { code, out, err } = await runBinnaclectl(['secrets', 'rewrite'], { env });
  assert.equal(code, 0, err);
  return Number(/^secrets: (\d+) rewritten/.exec(out)?.[1]);
}

const pods = ['storage-1', 'storage-2'] as const;

/** Waits until each pod has read changed configurations so many times, and uses or refuses them. */
async function reloaded(times: number, result: 'success' | 'failures' = 'success'): Promise<void> {
  const count = new RegExp(
    `^apiserver_encryption_config_controller_automatic_reload_${result}_total (\\d+)`,
    'm',
  );
  for (const name of pods)
    await until(`${name} reloads`, async () => {
      const metrics = await fetchMetrics(form.operationsPort(name));
      return Number(count.exec(metrics)?.[1] ?? 0) >= times;
    });
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = performance.now() + 180_000; !(await holds()); await pause(200))
    assert.ok(performance.now() < giveUpAt, what);
}

test('keys are rotated under way: every pod reads the new key before one of them writes with it', async () => {
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

test('a changed file that lacks the key of stored Secrets is refused by every pod', async () => {
  await writeEncryptionFile(file, [providerOf('aesgcm', 'c')]);
  await reloaded(1, 'failures');
  const found = await client.request<JsonObject>({ method: 'GET', path: `${secrets}/kept` });
  assert.equal(Buffer.from(String(at(found, 'data', 'password')), 'base64').toString(), hidden);
});

test('watches go on while a Secret cannot be decrypted, and its type is back with its key', async () => {
  await writeEncryptionFile(file, [providerOf('aesgcm', 'c', wrongKey('b'))]);
  for (const name of pods) await form.restartWith(name);
  await client.request<JsonObject>({
    method: 'POST',
    path: secrets,
    body: { metadata: { name: 'other' }, stringData: { a: 'b' } },
  });
  // A change with values of a key that is gone.
  await writeEncryptionFile(file, [providerOf('aesgcm', 'd', wrongKey('c'), wrongKey('b'))]);
  for (const name of pods) await form.restartWith(name);
  await client.request<JsonObject>({ method: 'POST', path: maps, body: { metadata: { name: 'later' } } });
  await client.request<JsonObject>({ method: 'GET', path: `${maps}/later` });
  await client.request<JsonObject>({ method: 'GET', path: `${maps}?resourceVersion=0` });
  await writeEncryptionFile(file, [providerOf('aesgcm', 'd', 'c', 'b')]);
  await until('the type is back', async () => {
    const { code } = await attempt({ method: 'GET', path: `${secrets}?limit=500` });
    return code === 200;
  });
});

test('with a KMS plugin at each pod, writes of Secrets fail while that of the leader is away, and everything else goes on', async () => {
  const sockets = resources.use(makeSocketFolder());
  const keyFile = join(sockets.path, 'keys');
  const start = (pod: string) => KmsPlugin.start({ endpoint: sockets.endpoint(pod), keyFile });
  const plugins = new Map<string, KmsPlugin>();
  for (const pod of pods) plugins.set(pod, resources.use(await start(pod)));
  const local = providerOf('aesgcm', 'd', 'c', 'b');
  const configure = async (order: (kms: string) => string[]) => {
    for (const pod of pods) {
      const kms = kmsProvider('v2', { name: 'vault', endpoint: sockets.endpoint(pod), timeout: '2s' });
      await writeEncryptionFile(join(dataDirectory, `${pod}.yaml`), order(kms));
    }
  };
  await configure(kms => [local, kms]);
  for (const pod of pods)
    await form.restartWith(
      pod,
      `--encryption-provider-config=${join(dataDirectory, `${pod}.yaml`)}`,
      '--feature-gates=KMSv2=true',
    );
  await configure(kms => [kms, local]);
  await reloaded(1);
  await until('all Secrets are stored anew', async () => (await rewritten()) > 0);
  const patch = (path: string): Parameters<ApiClient['request']>[0] => ({
    ...{ method: 'PATCH', path, contentType: 'application/merge-patch+json' },
    body: { metadata: { labels: { at: randomBytes(8).toString('hex') } } },
  });
  const readKept = async () => {
    const found = await client.request<JsonObject>({ method: 'GET', path: `${secrets}/kept` });
    return Buffer.from(String(at(found, 'data', 'password')), 'base64').toString();
  };
  assert.equal((await attempt(patch(`${secrets}/kept`))).code, 200);
  assert.equal(await readKept(), hidden);
  assert.deepEqual(await filesWithMarker(join(dataDirectory, 'etcd'), hidden), []);

  const leader = await findLeader();
  await plugins.get(leader)?.[Symbol.asyncDispose]();
  let failed: Outcome = { code: 200, message: '' };
  await until('a write fails', async () => {
    failed = await attempt(patch(`${secrets}/kept`));
    return failed.code !== 200;
  });
  assert.equal(failed.code, 500);
  assert.match(
    failed.message,
    /unable to transform key "\/core\/secrets\/default\/kept": KMS plugin "vault" cannot be reached$/,
  );
  assert.equal(await readKept(), hidden);
  assert.equal((await attempt(patch(`${maps}/shown`))).code, 200);
  for (const pod of pods)
    await until(`the health of the plugin of ${pod}`, async () => {
      const { status } = await fetch(`http://127.0.0.1:${form.operationsPort(pod)}/readyz/kms-providers`);
      return status === (pod === leader ? 500 : 200);
    });
  const { status } = await fetch(`http://127.0.0.1:${form.operationsPort(leader)}/readyz`);
  assert.equal(status, 200);

  resources.use(await start(leader));
  await until('a write succeeds', async () => (await attempt(patch(`${secrets}/kept`))).code === 200);
  assert.equal(await readKept(), hidden);
});

interface Outcome {
  readonly code: number;
  readonly message: string;
}

/** Sends a request, and returns the code and the message of an error. */
async function attempt(request: Parameters<ApiClient['request']>[0]): Promise<Outcome> {
  try {
    await client.request(request);
    return { code: 200, message: '' };
  } catch (thrown) {
    if (!(thrown instanceof StatusError)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  }
}

/** Finds the pod that leads: gateways call it while it has room. */
async function findLeader(): Promise<string> {
  let found: string | undefined;
  await until('a pod leads', async () => {
    for (const pod of pods)
      if (/^binnacle_storage_leader 1$/m.test(await fetchMetrics(form.operationsPort(pod)))) found = pod;
    return found !== undefined;
  });
  return found ?? assert.fail();
}

async function fetchMetrics(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return await response.text();
}
