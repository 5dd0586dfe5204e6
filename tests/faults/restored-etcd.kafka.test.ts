import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { createTemporaryDirectory } from '../journeys/temporary-directory.ts';

const collection = '/api/v1/namespaces/default/configmaps';

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let form: Distributed;
let clients: ApiClient[];

before(async () => {
  directory = await createTemporaryDirectory();
  form = await startDistributed({ dataDirectory: join(directory.path, 'data'), port: await findFreePort() });
  clients = form.gateways.map(clientOf);
});

after(async () => {
  for (const client of clients ?? []) await client[Symbol.asyncDispose]();
  await form?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

function clientOf(server: string): ApiClient {
  const configuration = { ...loadClientConfiguration(form.adminConfiguration), servers: [server] };
  return createApiClient({ configuration, userAgent: 'faults' });
}

function create(client: ApiClient, name: string): Promise<ApiObject> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  return client.request<ApiObject>({ method: 'POST', path: collection, body });
}

async function namesAt(client: ApiClient): Promise<(string | undefined)[]> {
  const { items } = await client.request<{ items: ApiObject[] }>({ method: 'GET', path: collection });
  return items.map(({ metadata }) => metadata.name).filter(name => name !== 'cluster-root-ca.crt');
}

const storagePods = () => ['storage-1', 'storage-2'].map(name => form.process(name));

test('after etcd is set back to a copy and storage started again, every gateway serves and follows the copy', async () => {
  const [first, second] = clients;
  assert.ok(first && second);
  const [data, copy] = [join(directory.path, 'data', 'etcd'), join(directory.path, 'copy')];
  await create(first, 'kept');
  await form.etcd.kill();
  await cp(data, copy, { recursive: true });
  await form.etcd.restart();
  await pollUntil('writes to go on', () => create(first, 'lost').then(() => true));
  for (let i = 0; i < 50; i++) await create(first, `lost-${i}`);
  assert.ok((await namesAt(second)).includes('lost-49'));

  for (const pod of storagePods()) await pod.stop();
  await form.etcd.kill();
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
  await form.etcd.restart();
  for (const pod of storagePods()) await pod.restart();

  await pollUntil('writes to go on', () => create(second, 'first').then(() => true));
  const added = await form.addGateway();
  await using third = clientOf(added.url);
  for (const client of [first, second, third]) {
    await pollUntil('the state of the copy', async () => {
      const names = await namesAt(client);
      return names.includes('kept') && names.includes('first') && !names.includes('lost-49');
    });
  }
  let written = 0;
  for (const client of [first, second, third]) {
    // A gateway that comes to the turn in the feed lists anew, and ends the watches that began before.
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
