import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freezeProcess, type KafkaServer, pollUntil, startKafka } from '@binnacle/backends';
import { connectTopicAdministration, connectTopicWriter, PublishPace, RefusalStatus } from '@binnacle/kafka';
import { deadlineIn } from '@binnacle/proto';
import {
  encodeFeedRecord,
  partitionOf,
  type Storage,
  storageKeyFrom,
  typePrefixFromKey,
} from '@binnacle/storage-contract';
import { createMetrics, type Logger, silentLogger } from '@binnacle/telemetry';
import { openEmbeddedStorage } from '../backends/embedded/embedded-storage.ts';
import { followPartition, readTopic } from '../test-drivers/read-topic.ts';
import { runPublisher } from './run-publisher.ts';

const partitions = 4;
const types = ['configmaps', 'secrets', 'pods', 'services', 'endpoints', 'events', 'namespaces'];

let kafka: KafkaServer;
let topics = 0;

before(async () => {
  kafka = await startKafka();
});
after(() => kafka[Symbol.asyncDispose]());

test('a request to the topic is sent once, and fails at a frozen broker', async () => {
  const topic = `written-once-${topics++}`;
  await using administration = await connectTopicAdministration(connection());
  await administration.createTopic({ topic, partitions: 2, replicationFactor: 1, settings: {} });
  const record = (text: string) => ({ partition: 1, key: null, value: Buffer.from(text), timestamp: 1 });
  const connect = () => connectTopicWriter({ connection: connection(), topic });
  // A broker names the leader of a new partition a little before it takes records.
  await pollUntil('the topic to take records', async () => {
    await using first = await connect();
    await first.append([record('first')]);
    return true;
  });
  await using writer = await connect();
  await writer.append([record('before')]);
  await freezeProcess(kafka.pid);
  try {
    await assert.rejects(writer.append([record('during')]), /timed out/);
  } finally {
    process.kill(kafka.pid!, 'SIGCONT');
  }
});

const connection = () => ({ brokers: kafka.brokers, clientId: 'test' });
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });

/** A store, a topic, and publishers of the one into the other. */
interface Scene {
  readonly topic: string;
  readonly storage: Awaited<ReturnType<typeof openEmbeddedStorage>>;
  /** Starts a publisher and gives what stops it at once. */
  publish(): () => Promise<void>;
  /** How many sessions of publishers have begun to follow the store. */
  readonly begun: number;
}

async function withScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-publisher-'));
  const storage = await openEmbeddedStorage({ directory });
  const topic = `changes-${topics++}`;
  const running = new Set<() => Promise<void>>();
  let begun = 0;
  const log: Logger = { ...silentLogger, info: () => begun++, child: () => log };
  const publish = () => {
    const controller = new AbortController();
    const target = { connection: connection(), topic, partitions, replicationFactor: 1 };
    const metrics = createMetrics({ process: false });
    const refusal = new RefusalStatus(log);
    const pace = new PublishPace();
    const options = { storage, kafka: target, historyWindow: 300_000, log, metrics, refusal, pace };
    const ended = runPublisher(options, controller.signal);
    const stop = async (): Promise<void> => {
      controller.abort();
      await ended;
    };
    running.add(stop);
    return stop;
  };
  try {
    const scene = {
      topic,
      storage,
      publish,
      get begun() {
        return begun;
      },
    };
    await run(scene);
  } finally {
    for (const stop of running) await stop();
    await storage[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
}

/** Writes some hundred objects of many types, a few of them in transactions of several. */
async function writeMany(storage: Storage, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      types.map((type, index) => {
        const puts = Array.from({ length: index === 0 ? 5 : 1 }, (_, part) => ({
          key: storageKeyFrom(`/core/${type}/ns/${round % 10}-${part}`),
          value: Buffer.from(`${round}`.padEnd(500)),
        }));
        return storage.transact({ preconditions: [], puts, deletes: [] }, call());
      }),
    );
  }
}

/** `revision key` of every change, by partition, as the store has them. */
async function committed(storage: Storage): Promise<string[][]> {
  const found: string[][] = Array.from({ length: partitions }, () => []);
  const end = await storage.typeRevision(undefined, call());
  for await (const batch of storage.changes({ from: 'window-start' }, call())) {
    for (const { key, revision } of batch.changes) {
      found[partitionOf(typePrefixFromKey(key), partitions)]?.push(`${revision} ${key}`);
    }
    if (batch.revision >= end) break;
  }
  return found;
}

/** Waits until the topic's ends have the store's revision, and follows it. */
async function followTopic({ storage, topic }: Scene) {
  const revision = await storage.typeRevision(undefined, call());
  let records: Awaited<ReturnType<typeof readTopic>> = [];
  await pollUntil(
    'the topic to have everything',
    async () => {
      records = await readTopic(connection(), topic);
      return records.every(partition => (partition.at(-1)?.revision ?? 0) >= revision);
    },
    { intervalMs: 300 },
  );
  return records.map(followPartition);
}

async function assertComplete(scene: Scene): Promise<{ readonly repeated: number }> {
  const followed = await followTopic(scene);
  const published = followed.map(({ events }) => events.map(({ revision, key }) => `${revision} ${key}`));
  assert.deepEqual(published, await committed(scene.storage));
  assert.equal(
    followed.reduce((sum, { resets }) => sum + resets, 0),
    0,
  );
  return { repeated: followed.reduce((sum, { repeated }) => sum + repeated, 0) };
}

test('every change is in the topic once, in order of revisions in its partition', () =>
  withScene(async scene => {
    await writeMany(scene.storage, 5);
    scene.publish();
    await writeMany(scene.storage, 20);
    const { repeated } = await assertComplete(scene);
    const progress = (await readTopic(connection(), scene.topic))
      .flat()
      .filter(({ type }) => type === 'PROGRESS');
    assert.ok(progress.length > 0);
    assert.ok(repeated <= progress.length, 'only progress records repeat a revision');
  }));

test('successors of publishers that ended suddenly skip nothing', () =>
  withScene(async scene => {
    const writing = writeMany(scene.storage, 150);
    for (let life = 0; life < 6; life++) {
      const stop = scene.publish();
      await new Promise(resolve => setTimeout(resolve, 150 + 90 * life));
      await stop();
    }
    await writing;
    scene.publish();
    await assertComplete(scene);
  }));

test('a replaced publisher that still runs does not damage the topic', () =>
  withScene(async scene => {
    scene.publish();
    scene.publish();
    await pollUntil('both to publish', () => scene.begun === 2);
    await writeMany(scene.storage, 60);
    const { repeated } = await assertComplete(scene);
    assert.ok(repeated > 60, 'both did publish');
  }));

test('writes continue while Kafka is down, and are all in the topic when it is back', () =>
  withScene(async scene => {
    scene.publish();
    await writeMany(scene.storage, 10);
    await assertComplete(scene);
    await kafka.kill();
    await writeMany(scene.storage, 30);
    await kafka.restart();
    await writeMany(scene.storage, 10);
    await assertComplete(scene);
  }));

/** Waits until every partition has a reset record. */
async function untilReset({ topic }: Scene): Promise<void> {
  await pollUntil('the reset', async () =>
    (await readTopic(connection(), topic)).every(records => records.some(({ type }) => type === 'RESET')),
  );
}

const resets: readonly (readonly [what: string, moveOn: (storage: Scene['storage']) => Promise<number>])[] = [
  [
    'a topic that lags behind the compacted history',
    async storage => {
      await writeMany(storage, 3);
      const compacted = await storage.typeRevision(undefined, call());
      await storage.compact(compacted, call());
      return compacted;
    },
  ],
  [
    'the topic of a store that was restored and continues at far later revisions',
    async storage => {
      const floor = Date.now() * 1000;
      await storage.continueAfter(floor);
      return floor;
    },
  ],
];
for (const [what, moveOn] of resets)
  test(`${what} is reset for every reader, and then has all later changes`, () =>
    withScene(async scene => {
      const stop = scene.publish();
      await writeMany(scene.storage, 3);
      await assertComplete(scene);
      await stop();
      const start = await moveOn(scene.storage);
      scene.publish();
      await untilReset(scene);
      await writeMany(scene.storage, 3);
      const followed = await followTopic(scene);
      assert.ok(followed.every(({ resets }) => resets === 1));
      const after = followed.map(({ events }) =>
        events.filter(({ revision }) => revision > start).map(({ revision, key }) => `${revision} ${key}`),
      );
      assert.deepEqual(after, await committed(scene.storage));
    }));

test('all partitions are reset when only one partition is ahead of a store that was set back', () =>
  withScene(async scene => {
    const stop = scene.publish();
    await writeMany(scene.storage, 3);
    await assertComplete(scene);
    await stop();
    const ahead = 1_000_000 + (await scene.storage.typeRevision(undefined, call()));
    const empty = new Uint8Array(0);
    const note = { type: 'PROGRESS' as const, revision: ahead, previousRevision: 0, key: '', value: empty };
    const times = { committedAt: Date.now(), publishedAt: Date.now() };
    const value = Buffer.from(encodeFeedRecord('', [{ ...note, ...times, previousValue: empty }]));
    {
      await using writer = await connectTopicWriter({ connection: connection(), topic: scene.topic });
      await writer.append([{ partition: 1, key: null, value, timestamp: Date.now() }]);
    }
    scene.publish();
    const afterReset = async () =>
      (await readTopic(connection(), scene.topic)).map(records => {
        const reset = records.findLastIndex(({ type }) => type === 'RESET');
        return reset === -1 ? undefined : records.slice(reset + 1).map(({ key }) => key);
      });
    await pollUntil('the resets', async () => (await afterReset()).every(keys => keys !== undefined));
    await writeMany(scene.storage, 3);
    assert.ok((await scene.storage.typeRevision(undefined, call())) < ahead);
    await pollUntil('what is written', async () => {
      const written = (await afterReset()).map(keys => new Set(keys));
      return types.every(type => {
        const partition = partitionOf(`/core/${type}/`, partitions);
        return written[partition]?.has(`/core/${type}/ns/2-0`);
      });
    });
  }));
