import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { freezeProcess, pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { sharedForm } from './shared-form.ts';

const namespace = 'kafka-away';
const collection = `/api/v1/namespaces/${namespace}/configmaps`;
const bindings = `/apis/rbac.authorization.cluster.io/v1/namespaces/${namespace}/rolebindings`;

/** How long Kafka is away beyond what the test does meanwhile, in ms: longer by hand. */
const awayMs = Number(process.env['KAFKA_AWAY_SECONDS'] ?? '0') * 1000;

let form: Distributed;
let clients: ApiClient[];

before(async () => {
  ({ form } = await sharedForm());
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

/** Lets a user read everything in the namespace. */
const bind = (client: ApiClient, user: string): Promise<ApiObject> =>
  client.request<ApiObject>({
    method: 'POST',
    path: bindings,
    body: {
      apiVersion: 'rbac.authorization.cluster.io/v1',
      kind: 'RoleBinding',
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: user }],
    },
  });

/** Whether a gateway lets a user read. */
async function allows(client: ApiClient, user: string): Promise<boolean> {
  const { status } = await client.request<{ status: { allowed: boolean } }>({
    method: 'POST',
    path: '/apis/authorization.cluster.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.cluster.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, resourceAttributes: { namespace, verb: 'get', resource: 'configmaps' } },
    },
  });
  return status.allowed;
}

/** The names that a watch of config maps brings, in order. */
function watchNames(client: ApiClient, resourceVersion: string | undefined) {
  const stop = new AbortController();
  const names: string[] = [];
  const path = `${collection}?watch=1&resourceVersion=${resourceVersion}`;
  const watching = (async () => {
    for await (const { type, object } of client.watch(path, stop.signal))
      names.push(type === 'ADDED' ? (object.metadata.name ?? '') : `${type} ${object.metadata.name}`);
  })();
  watching.catch(() => {});
  return {
    names,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching.catch(() => {});
    },
  };
}

/** The line about the change feed in the readiness of a process. */
async function feedLine(name: string): Promise<string | undefined> {
  const answer = await fetch(`http://127.0.0.1:${form.operationsPort(name)}/readyz?verbose`, {
    signal: AbortSignal.timeout(20_000),
  });
  return (await answer.text()).split('\n').find(line => line.includes('change-feed'));
}

/** How often a gateway listed a type after the first time. */
async function relists(name: string): Promise<string[]> {
  const metrics = await (await fetch(`http://127.0.0.1:${form.operationsPort(name)}/metrics`)).text();
  return metrics
    .split('\n')
    .filter(line => /^apiserver_watch_cache_initializations_total\{.*\} [1-9]/.test(line));
}

const latest = async (client: ApiClient): Promise<string | undefined> =>
  (await client.request<ApiObject>({ method: 'GET', path: collection })).metadata.resourceVersion;

/** Waits for something, and writes how long it took into the report. */
async function timed(t: TestContext, what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const start = performance.now();
  await pollUntil(what, isSo, { timeoutMs: 90_000 });
  t.diagnostic(`${what}: ${Math.round(performance.now() - start)} ms`);
}

const followers = ['gateway-1', 'gateway-2', 'admission-1', 'admission-2'];

const faults = [
  {
    name: 'killed',
    begin: () => form.kafka.kill(),
    end: () => form.kafka.restart(),
  },
  {
    name: 'frozen',
    begin: () => freezeProcess(form.kafka.pid),
    end: async () => void process.kill(form.kafka.pid ?? 0, 'SIGCONT'),
  },
];

for (const { name: fault, begin, end } of faults) {
  const title = `Kafka ${fault}: rights, namespaces and watches go on, and nothing is missing, repeated or listed again`;
  test(title, { timeout: 120_000 + awayMs }, async t => {
    const [writer, reader] = clients;
    assert.ok(writer && reader);
    await bind(writer, `old-${fault}`);
    await timed(t, 'a right before', async () => allows(reader, `old-${fault}`));
    const start = await latest(reader);
    await using watch = watchNames(reader, start);
    const names: string[] = [];
    const write = async (name: string): Promise<void> => {
      names.push(name);
      await create(writer, name);
    };
    await write(`${fault}-before`);
    await pollUntil('the watch to run', () => watch.names.length === 1);
    const listedBefore = [await relists('gateway-1'), await relists('gateway-2')];

    await begin();
    const gone = performance.now();
    let isAway = true;
    const bringBack = async (): Promise<void> => {
      if (!isAway) return;
      isAway = false;
      await end();
    };
    try {
      await writer.request({ method: 'DELETE', path: `${bindings}/old-${fault}` });
      await bind(writer, `new-${fault}`);
      t.diagnostic(`rights were changed after ${Math.round(performance.now() - gone)} ms`);
      for (const client of clients) {
        await timed(t, 'a withdrawn right ends', async () => !(await allows(client, `old-${fault}`)));
        await timed(t, 'a new right holds', async () => allows(client, `new-${fault}`));
      }
      await writer.request({
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `ns-${fault}` } },
      });
      const account = `/api/v1/namespaces/ns-${fault}/serviceaccounts/default`;
      await timed(t, 'a new namespace has its account', async () => {
        await reader.request({ method: 'GET', path: account });
        return true;
      });
      for (let i = 0; i < 20; i++) await write(`${fault}-during-${i}`);
      await timed(t, 'a watch goes on', () => watch.names.length === names.length);
      for (const name of followers) {
        let line: string | undefined;
        await timed(t, `${name} says so`, async () => {
          line = await feedLine(name);
          return line === '[+]change-feed ok: changes come from storage directly';
        }).catch(thrown => assert.fail(`${thrown}: ${line}`));
      }
      const begun = performance.now();
      const added = await form.addGateway();
      t.diagnostic(`a new gateway is ready: ${Math.round(performance.now() - begun)} ms`);
      await using third = createClient(added.url);
      assert.equal(await allows(third, `new-${fault}`), true);
      assert.equal(await allows(third, `old-${fault}`), false);
      // A watch that another gateway began.
      await using resumed = watchNames(third, start);
      await timed(t, 'a watch is resumed at the new gateway', () => resumed.names.length >= names.length);
      for (const until = performance.now() + awayMs; performance.now() < until; ) {
        await write(`${fault}-long-${names.length}`);
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      await write(`${fault}-last`);
      await timed(t, 'the watches go on', () => watch.names.length === names.length);
      await bringBack();
      const back = performance.now();
      for (const name of followers)
        await pollUntil(
          `${name} to follow kafka`,
          async () => (await feedLine(name)) === '[+]change-feed ok',
          {
            timeoutMs: 90_000,
          },
        );
      t.diagnostic(`all follow kafka again: ${Math.round(performance.now() - back)} ms`);
      await write(`${fault}-after`);
      await timed(t, 'the watches go on after its return', () => watch.names.length === names.length);
      await pollUntil('the resumed watch', () => resumed.names.length === names.length);
      assert.deepEqual(watch.names, names);
      assert.deepEqual(resumed.names, names);
      assert.deepEqual([await relists('gateway-1'), await relists('gateway-2')], listedBefore);
      await added.process.stop();
    } finally {
      await bringBack();
    }
  });
}
