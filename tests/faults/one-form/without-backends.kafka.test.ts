import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { sharedForm } from './shared-form.ts';

const namespace = 'without-backends';
const collection = `/api/v1/namespaces/${namespace}/configmaps`;

let dataDirectory: string;
let form: Distributed;
let clients: ApiClient[];

before(async () => {
  ({ form, dataDirectory } = await sharedForm());
  clients = form.gateways.map(createClient);
  const body = { metadata: { name: namespace } };
  await clients[0]?.request({ method: 'POST', path: '/api/v1/namespaces', body });
});

after(async () => {
  for (const client of clients ?? []) await client[Symbol.asyncDispose]();
});

function createClient(server: string): ApiClient {
  const configuration = { ...loadClientConfiguration(form.adminConfiguration), servers: [server] };
  return createApiClient({ configuration, userAgent: 'faults' });
}

const create = (client: ApiClient, name: string): Promise<ApiObject> =>
  client.request<ApiObject>({
    method: 'POST',
    path: collection,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  });

const get = (client: ApiClient, name: string): Promise<ApiObject> =>
  client.request<ApiObject>({ method: 'GET', path: `${collection}/${name}` });

/** Writes until a write succeeds; the name of its object. What became of the others is not known. */
async function retryWrite(client: ApiClient): Promise<string> {
  let name = '';
  await pollUntil('writes to go on', async () => {
    name = `again-${Date.now()}`;
    return (await create(client, name)).kind === 'ConfigMap';
  });
  return name;
}

async function namesAt(client: ApiClient): Promise<(string | undefined)[]> {
  const { items } = await client.request<{ items: ApiObject[] }>({ method: 'GET', path: collection });
  return items.map(({ metadata }) => metadata.name);
}

test('tokens are reviewed without Redis', async () => {
  const [admin] = clients;
  assert.ok(admin);
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
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
    if (refused.code === 403) assert.match(refused.message, /system:serviceaccount:without-backends:default/);
    return refused.code;
  };
  assert.equal(await review(600), 403);
  await form.redis.kill();
  for (const seconds of [600, 700, 800]) assert.equal(await review(seconds), 403);
  await form.redis.restart();
  assert.equal(await review(900), 403);
});

test('requests fail in time with a clear Status without etcd, and succeed when it is back', async () => {
  const [first, second] = clients;
  assert.ok(first && second);
  await create(first, 'safe');
  // From now on the other gateway has it, too: one without watches may follow a moment later.
  await get(second, 'safe');
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
  // Cached values may still be read by those who do not ask for the latest.
  const old = await second.request<ApiObject>({
    method: 'GET',
    path: `${collection}/safe?resourceVersion=0`,
  });
  assert.equal(old.metadata.name, 'safe');
  // Discovery shows the types that the gateway knows.
  for (const path of ['/apis', '/apis/apps/v1']) {
    const { kind } = await first.request<{ kind: string }>({ method: 'GET', path });
    assert.match(kind, /^API(Group|Resource)List$/);
  }

  await form.etcd.restart();
  await retryWrite(first);
  assert.equal((await get(second, 'safe')).metadata.name, 'safe');
});

test('after a restore of etcd and a restart of storage every gateway serves the restored state', async () => {
  const [first, second] = clients;
  assert.ok(first && second);
  await using directory = await createTemporaryDirectory();
  const [data, copy] = [join(dataDirectory, 'etcd'), join(directory.path, 'copy')];
  await create(first, 'kept');
  await form.etcd.kill();
  await cp(data, copy, { recursive: true });
  await form.etcd.restart();
  await retryWrite(first);
  for (let i = 0; i < 50; i++) await create(first, `lost-${i}`);
  assert.ok((await namesAt(second)).includes('lost-49'));

  const storagePods = ['storage-1', 'storage-2'].map(name => form.process(name));
  for (const pod of storagePods) await pod.stop();
  await form.etcd.kill();
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
  await form.etcd.restart();
  for (const pod of storagePods) await pod.restart();

  const repeated = await retryWrite(second);
  const added = await form.addGateway();
  await using third = createClient(added.url);
  for (const client of [first, second, third]) {
    await pollUntil('the state of the copy', async () => {
      const names = await namesAt(client);
      return names.includes('kept') && names.includes(repeated) && !names.includes('lost-49');
    });
  }
  let written = 0;
  for (const client of [first, second, third]) {
    // A gateway that reads in the feed that the store was set back lists again, and ends its watches.
    await pollUntil('a watch to see a write', async () => {
      const name = `watched-${written++}`;
      const list = await client.request<ApiObject>({ method: 'GET', path: `${collection}?limit=1` });
      const seen = firstAfter(client, list.metadata.resourceVersion ?? '');
      seen.catch(() => {}); // It is awaited below.
      await create(first, name);
      return (await seen) === name;
    });
  }
});

/** The name in the first event of a watch after a version. */
async function firstAfter(client: ApiClient, version: string): Promise<string | undefined> {
  const path = `${collection}?watch=1&resourceVersion=${version}`;
  for await (const { object } of client.watch(path, AbortSignal.timeout(10_000))) return object.metadata.name;
  return undefined;
}
