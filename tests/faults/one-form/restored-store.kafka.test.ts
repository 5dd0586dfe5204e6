import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { followClientTls } from '@binnacle/backend-access';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { deadlineIn } from '@binnacle/proto';
import { StatusError } from '@binnacle/status-errors';
import { connectEtcd } from '@binnacle/storage/testing';
import { runBinnaclectl } from '../../journeys/setup/run-binnaclectl.ts';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { followCollection } from '../resuming-watch.ts';
import { sharedForm } from './shared-form.ts';

const namespace = 'restored';
const path = `/api/v1/namespaces/${namespace}/configmaps`;
const prefix = '/binnacle';

let form: Distributed;
let dataDirectory = '';
let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let clients: readonly ApiClient[] = [];

before(async () => {
  const shared = await sharedForm();
  ({ form, dataDirectory } = shared);
  shared.isRestored = true;
  directory = await createTemporaryDirectory();
  const configuration = loadClientConfiguration(form.adminConfiguration);
  clients = form.gateways.map(server =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'restored' }),
  );
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await client().request({ method: 'POST', path: '/api/v1/namespaces', body });
});

after(async () => {
  for (const each of clients) await each[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

interface Listed {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

function client(gateway = 0): ApiClient {
  const found = clients[gateway];
  assert.ok(found);
  return found;
}

const create = (name: string, gateway = 0) =>
  client(gateway).request({
    method: 'POST',
    path,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } },
  });
const list = (gateway: number) => client(gateway).request<Listed>({ method: 'GET', path });
const names = ({ items }: Listed) => items.map(({ metadata }) => metadata.name).toSorted();

/** A client of a gateway that knows a collection by lists and watches. */
function startInformer(gateway: number) {
  const known = new Set<string>();
  const stopping = new AbortController();
  const following = followCollection({
    nextClient: () => client(gateway),
    collection: path,
    async begin() {
      const { metadata, items } = await list(gateway);
      known.clear();
      for (const item of items) known.add(item.metadata.name);
      return metadata.resourceVersion;
    },
    observer: {
      onWatch: () => {},
      onMessage({ type, object }) {
        if (type === 'DELETED') known.delete(object.metadata.name ?? '');
        else if (type !== 'BOOKMARK') known.add(object.metadata.name ?? '');
      },
      onEnd: () => {},
    },
    signal: stopping.signal,
  });
  return {
    known: () => [...known].toSorted(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await following;
    },
  };
}

/** Removes every key of the store from etcd, as its user. */
async function emptyStore(
  flags: Readonly<Record<'ca' | 'cert' | 'key' | 'password', string>>,
): Promise<void> {
  const tls = await followClientTls('etcd', { caFile: flags.ca, certFile: flags.cert, keyFile: flags.key });
  assert.ok(tls);
  using connection = connectEtcd({
    endpoints: [form.etcd.endpoint],
    prefix,
    tls,
    user: { name: 'storage', passwordFile: flags.password },
  });
  const remove = (below: string) => ({
    request_delete_range: { key: Buffer.from(`${below}/`), range_end: Buffer.from(`${below}0`) },
  });
  await connection.txn(
    { compare: [], success: [remove(prefix), remove(`${prefix}-reserved`)] },
    { signal: new AbortController().signal, deadline: deadlineIn(20_000) },
  );
}

test('after a restore under running gateways their clients see exactly the restored state', {
  timeout: 300_000,
}, async () => {
  const files = join(dataDirectory, 'pki/backends/etcd/storage');
  const [ca, cert, key] = ['ca.crt', 'tls.crt', 'tls.key'].map(name => join(files, name));
  const password = join(files, 'password');
  const store = [
    ...[`--etcd-endpoints=${form.etcd.endpoint}`, `--etcd-cafile=${ca}`, `--etcd-certfile=${cert}`],
    ...[`--etcd-keyfile=${key}`, '--etcd-username=storage', `--etcd-password-file=${password}`],
  ];
  const run = async (...args: string[]) => {
    const { code, out, err } = await runBinnaclectl([...args, ...store], { env: {} });
    assert.equal(code, 0, err);
    return out;
  };
  for (const name of ['kept', 'revived']) await create(name);
  await using stack = new AsyncDisposableStack();
  const informers = form.gateways.map((_, gateway) => stack.use(startInformer(gateway)));
  await pollUntil('the informers to know', async () => informers.every(({ known }) => known().length === 2));
  const file = join(directory.path, 'monday.backup');
  assert.match(await run('backup', file), /^store {4}etcd/m);
  await create('lost');
  await client().request({ method: 'DELETE', path: `${path}/revived` });
  const isSeen = (expected: string) => async () =>
    informers.every(({ known }) => known().join() === expected);
  await pollUntil('the informers to see the changes', isSeen('kept,lost'));
  const { resourceVersion } = (await list(1)).metadata;

  for (const name of ['storage-1', 'storage-2']) await form.process(name).stop();
  await emptyStore({ ca: ca ?? '', cert: cert ?? '', key: key ?? '', password });
  assert.match(await run('restore', file), /^versions begin after \d{16}$/m);
  await Promise.all(['storage-1', 'storage-2'].map(name => form.process(name).restart()));
  await form.waitUntilReady();

  await pollUntil('the informers to see the state of the backup', isSeen('kept,revived'), {
    timeoutMs: 60_000,
  });
  await create('after', 1);
  await pollUntil('the informers to go on', isSeen('after,kept,revived'));
  for (const gateway of form.gateways.keys()) {
    const listed = await list(gateway);
    assert.deepEqual(names(listed), ['after', 'kept', 'revived']);
    assert.ok(Number(listed.metadata.resourceVersion) > Number(resourceVersion));
    const exact = `${path}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
    const isExpired = (thrown: unknown) => thrown instanceof StatusError && thrown.code === 410;
    await assert.rejects(client(gateway).request({ method: 'GET', path: exact }), isExpired);
    const { signal } = new AbortController();
    const watching = client(gateway).watch(`${path}?watch=1&resourceVersion=${resourceVersion}`, signal);
    await assert.rejects(async () => {
      for await (const { type, object } of watching) assert.fail(`${type} ${object.metadata.name}`);
    }, isExpired);
  }
  await client().request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
});
