import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type EtcdServer,
  findFreePort,
  type KafkaServer,
  pollUntil,
  startEtcd,
  startKafka,
} from '@binnacle/backends';
import { storageContract } from '@binnacle/proto';
import { connectRpc } from '@binnacle/service-kit';
import {
  isStorageError,
  partitionOf,
  remoteStorage,
  type Storage,
  storageKeyFrom,
  typePrefixOf,
} from '@binnacle/storage-contract';
import { followPartition, readTopic } from './publisher/read-topic.ts';

const partitions = 3;
const topic = 'failover';

interface Pod {
  readonly child: ChildProcess;
  readonly address: string;
  readonly operations: string;
}

async function startPod(etcd: EtcdServer, kafka: KafkaServer): Promise<Pod> {
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const flags = {
    'etcd-endpoints': etcd.endpoint,
    port,
    'operations-port': operationsPort,
    'change-feed': 'kafka',
    'kafka-brokers': kafka.brokers[0],
    'kafka-topic': topic,
    'kafka-partitions': partitions,
    'leader-lease': '3s',
    insecure: true,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout!, 'data');
  return { child, address: `127.0.0.1:${port}`, operations: `http://127.0.0.1:${operationsPort}` };
}

async function leads({ operations }: Pod): Promise<boolean> {
  const text = await (await fetch(`${operations}/metrics`)).text();
  return /^binnacle_storage_leader 1$/m.test(text);
}

async function stopPod({ child }: Pod, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

const call = () => ({ signal: new AbortController().signal, deadline: Date.now() + 10_000 });

async function committed(storage: Storage): Promise<string[][]> {
  const found: string[][] = Array.from({ length: partitions }, () => []);
  const end = await storage.typeRevision(undefined, call());
  for await (const batch of storage.changes({ from: 'window-start' }, call())) {
    for (const { key, revision } of batch.changes) {
      found[partitionOf(typePrefixOf(key), partitions)]?.push(`${revision} ${key}`);
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

test('the publishing pod is killed twice: the topic has every committed write, in order, without a gap', async () => {
  await using stack = new AsyncDisposableStack();
  const [etcd, kafka] = await Promise.all([startEtcd(), startKafka()]);
  stack.use(etcd);
  stack.use(kafka);
  const pods = new Set<Pod>();
  stack.defer(async () => {
    for (const pod of pods) await stopPod(pod, 'SIGTERM');
  });
  for (let index = 0; index < 3; index++) pods.add(await startPod(etcd, kafka));
  const addresses = [...pods].map(pod => pod.address);
  const storage = remoteStorage(stack.use(connectRpc(storageContract, { addresses, insecure: true })));
  const stop = new AbortController();
  const writing = writeUntil(storage, stop.signal);
  for (let round = 0; round < 2; round++) {
    await pollUntil('a leader', async () => (await Promise.all([...pods].map(leads))).includes(true));
    await pollUntil(
      'records',
      async () =>
        (await readTopic({ brokers: kafka.brokers, clientId: 'test' }, topic)).flat().length >
        200 * (round + 1),
    );
    for (const pod of pods) {
      if (!(await leads(pod))) continue;
      pods.delete(pod);
      await stopPod(pod, 'SIGKILL');
    }
  }
  await pollUntil('the last pod to lead', async () =>
    (await Promise.all([...pods].map(leads))).includes(true),
  );
  stop.abort();
  const acknowledged = await writing;
  const expected = await committed(storage);
  const revision = await storage.typeRevision(undefined, call());
  await pollUntil('the topic to have everything', async () =>
    (await readTopic({ brokers: kafka.brokers, clientId: 'test' }, topic)).every(
      records => (records.at(-1)?.revision ?? 0) >= revision,
    ),
  );
  const followed = (await readTopic({ brokers: kafka.brokers, clientId: 'test' }, topic)).map(
    followPartition,
  );
  assert.deepEqual(
    followed.map(({ events }) => events.map(event => `${event.revision} ${event.key}`)),
    expected,
  );
  assert.ok(followed.every(({ resets }) => resets === 0));
  const published = new Set(expected.flat());
  for (const write of acknowledged) assert.ok(published.has(write));
});
