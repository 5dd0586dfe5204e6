import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type EtcdServer,
  findFreePort,
  type KafkaServer,
  pollUntil,
  startEtcd,
  startKafka,
} from '@binnacle/backends';
import { feedTopicFromName } from '@binnacle/kafka';
import { deadlineIn, storageContract } from '@binnacle/proto';
import { connectRpc } from '@binnacle/rpc';
import {
  isStorageError,
  partitionOf,
  remoteStorage,
  type Storage,
  storageKeyFrom,
  typePrefixFromKey,
} from '@binnacle/storage-contract';
import { type PodProcess, startPod, stopPod } from './test-drivers/pod-process.ts';
import { followPartition, readTopic } from './test-drivers/read-topic.ts';

const partitions = 3;
const topic = 'failover';
/** The topic's own name. */
const feedTopic = feedTopicFromName(topic);

const podFlags = (etcd: EtcdServer, kafka: KafkaServer) => ({
  'etcd-endpoints': etcd.endpoint,
  'change-feed': 'kafka',
  'kafka-brokers': kafka.brokers[0] ?? '',
  'kafka-topic': topic,
  'kafka-partitions': partitions,
  'leader-lease': '3s',
});

async function leads({ operations }: PodProcess): Promise<boolean> {
  const text = await (await fetch(`${operations}/metrics`)).text();
  return /^binnacle_storage_leader 1$/m.test(text);
}

const freePorts = async () => [await findFreePort(), await findFreePort()] as const;
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });

async function committed(storage: Storage): Promise<string[][]> {
  const found: string[][] = Array.from({ length: partitions }, () => []);
  const end = await storage.typeRevision(undefined, call());
  for await (const batch of storage.changes({ from: 'window-start' }, call())) {
    for (const { key, revision } of batch.changes) {
      found[partitionOf(typePrefixFromKey(key), partitions)]?.push(`${revision} ${key}`);
    }
    if (batch.revision >= end) return found;
  }
  return found;
}

/** Writes until told to stop, through whichever pod is there; gives the keys of the acknowledged writes. */
async function writeUntil(storage: Storage, stop: AbortSignal): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let index = 0; !stop.aborted; index++) {
    const key = storageKeyFrom(`/core/${['configmaps', 'secrets', 'pods'][index % 3]}/ns/${index}`);
    const puts = [{ key, value: Buffer.from(`${index}`.padEnd(300)) }];
    try {
      const outcome = await storage.transact({ preconditions: [], puts, deletes: [] }, call());
      acknowledged.push(`${outcome.revision} ${key}`);
    } catch (thrown) {
      assert.ok(isStorageError(thrown, 'unavailable') || isStorageError(thrown, 'unknown-outcome'));
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
  return acknowledged;
}

const ends: Readonly<Record<string, (pod: PodProcess) => Promise<() => Promise<void>>>> = {
  async 'is killed'(pod) {
    await stopPod(pod, 'SIGKILL');
    return async () => {};
  },
  async 'stops gracefully'(pod) {
    await stopPod(pod, 'SIGTERM');
    return async () => {};
  },
  async 'is killed while it stops'(pod) {
    const stopped = stopPod(pod, 'SIGTERM');
    await pause(Math.random() * 400);
    await stopPod(pod, 'SIGKILL');
    await stopped;
    return async () => {};
  },
  async 'freezes while it stops, and goes on when another one publishes'(pod) {
    const stopped = stopPod(pod, 'SIGTERM');
    await pause(Math.random() * 400);
    pod.child.kill('SIGSTOP');
    return async () => {
      pod.child.kill('SIGCONT');
      await stopped;
    };
  },
};

for (const [way, end] of Object.entries(ends)) {
  test(`the publishing pod ${way}, twice: the topic has every committed write, in order, without a gap`, () =>
    twice(end));
}

async function twice(end: (pod: PodProcess) => Promise<() => Promise<void>>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const [etcd, kafka] = await Promise.all([startEtcd(), startKafka()]);
  stack.use(etcd);
  stack.use(kafka);
  const pods = new Set<PodProcess>();
  stack.defer(async () => {
    for (const pod of pods) await stopPod(pod, 'SIGTERM');
  });
  for (let index = 0; index < 3; index++) pods.add(await startPod(await freePorts(), podFlags(etcd, kafka)));
  const addresses = [...pods].map(pod => pod.address);
  const storage = remoteStorage(stack.use(connectRpc(storageContract, { addresses, insecure: true })));
  const stop = new AbortController();
  stack.defer(() => stop.abort());
  const writing = writeUntil(storage, stop.signal);
  const left: (() => Promise<void>)[] = [];
  for (let round = 0; round < 2; round++) {
    await pollUntil('a leader', async () => (await Promise.all([...pods].map(leads))).includes(true));
    await pollUntil(
      'records',
      async () =>
        (await readTopic({ brokers: kafka.brokers, clientId: 'test' }, feedTopic)).flat().length >
        200 * (round + 1),
    );
    for (const pod of pods) {
      if (!(await leads(pod))) continue;
      pods.delete(pod);
      left.push(await end(pod));
      break;
    }
  }
  await pollUntil('the last pod to lead', async () =>
    (await Promise.all([...pods].map(leads))).includes(true),
  );
  for (const goOn of left) await goOn();
  stop.abort();
  const acknowledged = await writing;
  const expected = await committed(storage);
  const revision = await storage.typeRevision(undefined, call());
  await pollUntil('the topic to have everything', async () =>
    (await readTopic({ brokers: kafka.brokers, clientId: 'test' }, feedTopic)).every(
      records => (records.at(-1)?.revision ?? 0) >= revision,
    ),
  );
  const followed = (await readTopic({ brokers: kafka.brokers, clientId: 'test' }, feedTopic)).map(
    followPartition,
  );
  assert.deepEqual(
    followed.map(({ events }) => events.map(event => `${event.revision} ${event.key}`)),
    expected,
  );
  assert.ok(followed.every(({ resets }) => resets === 0));
  const published = new Set(expected.flat());
  for (const write of acknowledged) assert.ok(published.has(write));
}
