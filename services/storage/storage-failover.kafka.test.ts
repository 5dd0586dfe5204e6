import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
/** Between two writes: the publisher has some of them under way whenever it ends, and the processors are not full of them. */
const pauseMs = 4;
/** Between two looks at the topic, each of which reads all of it. */
const readEveryMs = 250;

let kafka: KafkaServer;

before(async () => {
  kafka = await startKafka();
});
after(() => kafka?.[Symbol.asyncDispose]());

const podFlags = (etcd: EtcdServer, topic: string) => ({
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
      await pause(pauseMs);
    } catch (thrown) {
      assert.ok(isStorageError(thrown, 'unavailable') || isStorageError(thrown, 'unknown-outcome'));
      await pause(20);
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

for (const [index, [way, end]] of Object.entries(ends).entries()) {
  test(`the topic has every committed write in order without a gap after the publishing pod ${way} twice`, () =>
    twice(end, `failover-${index}`));
}

/** Has the publishing pod of three end twice, with a store and a topic of their own. */
async function twice(end: (pod: PodProcess) => Promise<() => Promise<void>>, topic: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const etcd = stack.use(await startEtcd());
  const pods = new Set<PodProcess>();
  stack.defer(async () => {
    for (const pod of pods) await stopPod(pod, 'SIGTERM');
  });
  for (let index = 0; index < 3; index++) pods.add(await startPod(await freePorts(), podFlags(etcd, topic)));
  const addresses = [...pods].map(pod => pod.address);
  const storage = remoteStorage(stack.use(connectRpc(storageContract, { addresses, insecure: true })));
  const published = () => readTopic({ brokers: kafka.brokers, clientId: 'test' }, feedTopicFromName(topic));
  const readUntil = (what: string, holds: (records: Awaited<ReturnType<typeof published>>) => boolean) =>
    pollUntil(what, async () => holds(await published()), { intervalMs: readEveryMs });
  const stop = new AbortController();
  stack.defer(() => stop.abort());
  const writing = writeUntil(storage, stop.signal);
  const left: (() => Promise<void>)[] = [];
  for (let round = 0; round < 2; round++) {
    await pollUntil('a leader', async () => (await Promise.all([...pods].map(leads))).includes(true));
    await readUntil('records', records => records.flat().length > 200 * (round + 1));
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
  await readUntil('the topic to have everything', partitions =>
    partitions.every(records => (records.at(-1)?.revision ?? 0) >= revision),
  );
  const followed = (await published()).map(followPartition);
  assert.deepEqual(
    followed.map(({ events }) => events.map(event => `${event.revision} ${event.key}`)),
    expected,
  );
  assert.ok(followed.every(({ resets }) => resets === 0));
  const inTopic = new Set(expected.flat());
  for (const write of acknowledged) assert.ok(inTopic.has(write));
}
