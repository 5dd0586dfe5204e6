import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';
import { createTemporaryDirectory } from '../journeys/temporary-directory.ts';

const collection = '/api/v1/namespaces/default/configmaps';

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let form: Distributed;
let clients: ApiClient[];

before(async () => {
  directory = await createTemporaryDirectory();
  form = await startDistributed({ dataDirectory: join(directory.path, 'data'), port: await findFreePort() });
  const configuration = loadClientConfiguration(form.adminConfiguration);
  clients = form.gateways.map(server =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'faults' }),
  );
});

after(async () => {
  for (const client of clients ?? []) await client[Symbol.asyncDispose]();
  await form?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

const create = (client: ApiClient, name: string): Promise<ApiObject> =>
  client.request<ApiObject>({
    method: 'POST',
    path: collection,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  });

const get = (client: ApiClient, name: string): Promise<ApiObject> =>
  client.request<ApiObject>({ method: 'GET', path: `${collection}/${name}` });

test('without Kafka writes and consistent reads go on, and watches continue without a gap', async () => {
  const [writer, reader] = clients;
  assert.ok(writer && reader);
  const { metadata } = await reader.request<ApiObject>({ method: 'GET', path: collection });
  const stopping = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    const path = `${collection}?watch=1&resourceVersion=${metadata.resourceVersion}`;
    for await (const { object } of reader.watch(path, stopping.signal)) seen.push(object.metadata.name ?? '');
  })();
  watching.catch(() => {});
  await create(writer, 'before');
  await pollUntil('the watch to run', () => seen.includes('before'));

  await form.kafka.kill();
  const names = Array.from({ length: 30 }, (_, index) => `during-${index}`);
  for (const name of names) {
    await create(writer, name);
    // Written through one gateway, read at once through the other: consistent without the feed.
    assert.equal((await get(reader, name)).metadata.name, name);
  }
  const { items } = await reader.request<{ items: ApiObject[] }>({ method: 'GET', path: collection });
  assert.equal(items.filter(item => item.metadata.name?.startsWith('during-')).length, names.length);
  assert.deepEqual(seen, ['before'], 'the watch stands still while the feed is down');

  await form.kafka.restart();
  await create(writer, 'after');
  await pollUntil('the watch to catch up', () => seen.includes('after'), { timeoutMs: 90_000 });
  assert.deepEqual(seen, ['before', ...names, 'after']);
  stopping.abort();
  await watching.catch(() => {});
});

test('without Redis tokens are reviewed as before', async () => {
  const [admin] = clients;
  assert.ok(admin);
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  await pollUntil('the default account', async () => {
    await admin.request({ method: 'GET', path });
    return true;
  });
  const { certificateAuthority } = loadClientConfiguration(form.adminConfiguration);
  assert.ok(certificateAuthority);
  /** How a token is answered; tokens that last differently are different tokens, which no cache knows. */
  const review = async (expirationSeconds: number): Promise<number> => {
    const body = {
      apiVersion: 'authentication.cluster.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds },
    };
    const issued = await admin.request<{ status: { token: string } }>({
      method: 'POST',
      path: `${path}/token`,
      body,
    });
    const { token } = issued.status;
    const configuration = { servers: [form.gateways[0] ?? ''], certificateAuthority, token };
    await using client = createApiClient({ configuration, userAgent: 'account' });
    const refused = await client
      .request({ method: 'GET', path: collection })
      .catch((error: unknown) => error);
    // The account has no rights: 403 says that it was recognised, 401 that it was not.
    assert.ok(refused instanceof StatusError);
    if (refused.code === 403) assert.match(refused.message, /system:serviceaccount:default:default/);
    return refused.code;
  };
  assert.equal(await review(600), 403);
  await form.redis.kill();
  for (const seconds of [600, 700, 800]) assert.equal(await review(seconds), 403);
  await form.redis.restart();
  assert.equal(await review(900), 403);
});

test('without etcd requests fail with a clear Status in time, and go on by themselves when it is back', async () => {
  const [first, second] = clients;
  assert.ok(first && second);
  await create(first, 'safe');
  await form.etcd.kill();
  const attempts: [what: string, request: () => Promise<unknown>][] = [
    ['a write', () => create(first, 'lost')],
    ['a consistent read', () => get(second, 'safe')],
    ['a consistent list', () => second.request({ method: 'GET', path: collection })],
  ];
  for (const [what, request] of attempts) {
    const error = await request().catch((thrown: unknown) => thrown);
    assert.ok(error instanceof StatusError, `${what} fails with a Status`);
    assert.ok(error.code === 503 || error.code === 504, `${what}: ${error.code}`);
    assert.notEqual(error.message, '');
  }
  // What is cached may still be read by those who do not ask for the latest.
  const old = await second.request<ApiObject>({
    method: 'GET',
    path: `${collection}/safe?resourceVersion=0`,
  });
  assert.equal(old.metadata.name, 'safe');

  await form.etcd.restart();
  await pollUntil(
    'writes to go on',
    async () => (await create(first, `again-${Date.now()}`)).kind === 'ConfigMap',
  );
  assert.equal((await get(second, 'safe')).metadata.name, 'safe');
});
