import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { type HistoryRecord, verifyHistory } from '@binnacle/binnaclectl/testing';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, publishingStorage } from '@binnacle/compose';
import { type Follower, followCollection } from '../change-history/follower.ts';
import { type CommittedWrite, readCounter, runWriter } from '../change-history/writer.ts';
import { sharedForm } from './shared-form.ts';

const namespace = 'history';
const objectsPerType = 20;
const writesPerObject = 250;
const resources = ['configmaps', 'secrets'] as const;
const total = resources.length * objectsPerType * writesPerObject;

let form: Distributed;
let client: ApiClient;

before(async () => {
  ({ form } = await sharedForm());
  // The second gateway is the one that is killed: writers begin with it and go on at the first.
  const servers = [...form.gateways].reverse();
  const configuration = { ...loadClientConfiguration(form.adminConfiguration), servers };
  client = createApiClient({ configuration, userAgent: 'history', maxSockets: 16 });
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await client.request({ method: 'POST', path: '/api/v1/namespaces', body });
});

after(() => client?.[Symbol.asyncDispose]());

test('informers see every committed write once and in order while everything else is killed once', {
  timeout: 400_000,
}, async () => {
  await using followers = new AsyncDisposableStack();
  const followed = new Map<string, Follower>();
  for (const resource of resources) {
    const collection = { resource, namespace };
    const follower = await followCollection(form.adminConfiguration, form.gateways[0] ?? '', collection);
    followed.set(resource, followers.use(follower));
  }
  const committed: CommittedWrite[] = [];
  const troubles: unknown[] = [];
  const writers = resources.flatMap(resource =>
    Array.from({ length: objectsPerType }, (_, index) =>
      runWriter({
        client,
        namespace,
        resource,
        name: `object-${index}`,
        writes: writesPerObject,
        onCommitted: write => committed.push(write),
        onTrouble: error => troubles.push(error),
      }),
    ),
  );
  const faults = injectFaults(() => committed.length);
  await Promise.all([...writers, faults]);
  assert.equal(committed.length, total);

  for (const [resource, follower] of followed) {
    const writes = committed.filter(write => write.resource === resource);
    // One record is that of the watch.
    await pollUntil(`all ${resource} to be delivered`, () => follower.records.length > writes.length, {
      timeoutMs: 60_000,
    });
    assert.equal(follower.lists, 1, 'a watch that goes on needs no second list');
    const settled: HistoryRecord = { kind: 'settled', at: performance.now() };
    const { violations } = verifyHistory([...writes, ...follower.records, settled], {
      now: () => performance.now(),
    });
    assert.deepEqual(violations.slice(0, 20), []);
  }
  await assertNothingIsMissing(committed);
});

/** Kills and restarts each part once, a fifth of the writes apart. */
async function injectFaults(progress: () => number): Promise<void> {
  const victims: [string, () => Promise<{ kill(): Promise<void>; restart(): Promise<void> }>][] = [
    ['the other gateway', async () => form.process('gateway-2')],
    ['the publishing storage pod', async () => form.process(await publishingStorage(form))],
    ['Kafka', async () => form.kafka],
    ['etcd', async () => form.etcd],
  ];
  for (const [index, [name, find]] of victims.entries()) {
    const start = (total * (index + 1)) / (victims.length + 1);
    await pollUntil(`the writes before ${name} is killed`, () => progress() >= start, { timeoutMs: 240_000 });
    const victim = await find();
    await victim.kill();
    await new Promise(resolve => setTimeout(resolve, 1000));
    await victim.restart();
  }
}

/** Reads everything from both gateways: the last acknowledged write of each object is what is there. */
async function assertNothingIsMissing(committed: readonly CommittedWrite[]): Promise<void> {
  const last = new Map<string, number>();
  for (const { resource, name, value } of committed) last.set(`${resource}/${name}`, Number(value));
  for (const server of form.gateways) {
    const configuration = { ...loadClientConfiguration(form.adminConfiguration), servers: [server] };
    await using reader = createApiClient({ configuration, userAgent: 'history-reader' });
    for (const resource of resources) {
      const path = `/api/v1/namespaces/${namespace}/${resource}`;
      const { items } = await reader.request<{ items: Parameters<typeof readCounter>[0][] }>({
        method: 'GET',
        path,
      });
      const found = new Map(items.map(item => [`${resource}/${item.metadata.name}`, item]));
      for (const [key, counter] of last) {
        if (!key.startsWith(`${resource}/`)) continue;
        const item = found.get(key);
        assert.ok(item, `${key} is missing at ${server}`);
        assert.equal(readCounter(item), counter, `${key} at ${server}`);
      }
    }
  }
}
