import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import {
  connectTopicAdministration,
  connectTopicReader,
  connectTopicWriter,
  type FeedEncryption,
  RecordEncryptor,
  RecordOpener,
  type RecordRefusal,
  type TopicRecord,
} from '@binnacle/kafka';
import type { NewRecord } from '@binnacle/kafka/testing';
import { createStorageService } from '@binnacle/storage';
import type { LocalStorageService } from '@binnacle/storage/testing';
import { decodeFeedRecord, encodeFeedRecord, partitionOf, type Storage } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { type ChangeFeed, createKafkaFeed, createWatchCache, type WatchCache } from '@binnacle/watch-cache';
import { type LineWatch, listLines, watchLines } from './line-watch.ts';
import { createFeedKeys, type LockedKafka, newFeedKey, startLockedKafka, topic } from './locked-kafka.ts';
import { call, configMaps, readHistory, secrets, write, writeMuch } from './storage-writers.ts';

const partitions = 2;
const [first, second] = [newFeedKey(), newFeedKey()];

let kafka: LockedKafka;
let stores = 0;
let stack: AsyncDisposableStack;

before(async () => {
  kafka = await startLockedKafka();
});
after(() => kafka?.[Symbol.asyncDispose]());

/** Each test begins with its own store and without a topic. */
async function begin(): Promise<void> {
  stack = new AsyncDisposableStack();
  await using administration = await connectTopicAdministration(kafka.createConnection('admin'));
  if (!(await administration.hasTopic(topic))) return;
  await administration.deleteTopic(topic);
  await pollUntil('the topic to be gone', async () => !(await administration.hasTopic(topic)));
}
afterEach(() => stack?.disposeAsync());

async function encryptionWith(lines: readonly string[], acceptUnencrypted = false): Promise<FeedEncryption> {
  const keys = lines.length === 0 ? undefined : await createFeedKeys(kafka.directory, lines);
  return { keys, acceptUnencrypted };
}

function startStorage(encryption: FeedEncryption, store = stores++): Promise<LocalStorageService> {
  return createStorageService({
    backend: { kind: 'embedded', directory: join(kafka.directory, `store-${store}`) },
    kafka: {
      connection: kafka.createConnection('storage'),
      topic,
      encryption,
      partitions,
      replicationFactor: 1,
    },
    log: silentLogger,
    metrics: createMetrics({ process: false }),
  });
}

interface Reader {
  readonly feed: ChangeFeed;
  readonly cache: WatchCache;
  /** Why records were refused. */
  readonly refusals: RecordRefusal[];
}

function startReader(storage: Pick<Storage, 'list'>, encryption: FeedEncryption): Reader {
  const refusals: RecordRefusal[] = [];
  const feed = createKafkaFeed({
    connection: kafka.createConnection('gateway'),
    topic,
    encryption,
    onRefusedRecord: reason => refusals.push(reason),
  });
  const cache = stack.use(createWatchCache({ definitions: [configMaps, secrets], storage, feed }));
  return { feed, cache, refusals };
}

/** Everything that lies in the topic, by partition. */
async function recordsInTopic(): Promise<TopicRecord[][]> {
  const connection = kafka.createConnection('gateway');
  await using reader = await connectTopicReader({ connection, topic, maxWaitMs: 100 });
  const ends = await reader.offsets('end');
  const all: TopicRecord[][] = [...ends.keys()].map(() => []);
  for (const [leader, led] of reader.leaders) {
    for (const partition of led) {
      const records = all[partition] ?? [];
      while (BigInt(records.length) < (ends.get(partition) ?? 0n)) {
        const [fetched] = await reader.fetch(leader, new Map([[partition, BigInt(records.length)]]));
        records.push(...(fetched?.records.filter(({ offset }) => offset >= records.length) ?? []));
      }
    }
  }
  return all;
}

async function appendAsStranger(records: readonly Omit<NewRecord, 'timestamp'>[]): Promise<void> {
  const connection = kafka.createConnection('stranger');
  await using writer = await connectTopicWriter({ connection, topic });
  await writer.append(records.map(record => ({ ...record, timestamp: Date.now() })));
}

/** A record that grants nothing and says that a secret was changed; encrypted or not, as a stranger would write it. */
function forgedEvent(revision: number): Buffer {
  const empty = new Uint8Array(0);
  const event = {
    type: 'UPDATED' as const,
    revision,
    previousRevision: 0,
    key: '/core/secrets/a/x',
    value: Buffer.from('forged'),
    previousValue: empty,
    committedAt: 1,
    publishedAt: 1,
  };
  return Buffer.from(encodeFeedRecord('core/secrets', [event]));
}

const untilLast = (watch: LineWatch, revision: number) =>
  pollUntil('the last change', () => watch.lines().some(line => line.includes(`@${revision} `)));

/** A watch of secrets from a first write on, and what it must have seen up to a last one, without an end. */
async function watched(reader: Reader, storage: LocalStorageService['storage']) {
  await reader.cache.ready();
  const start = await write(storage, secrets, 'z/first', 'first');
  await reader.cache.type(secrets).waitFor(start, call());
  const watch = watchLines(reader.cache.type(secrets), { after: start });
  return {
    watch,
    async assertComplete() {
      const last = await write(storage, secrets, 'z/last', 'last');
      await untilLast(watch, last);
      assert.deepEqual(watch.lines(), listLines(await readHistory(storage, secrets, last), start));
      assert.deepEqual(watch.ends, []);
    },
  };
}

test('encrypted records have no plaintext, and watches see every change', async () => {
  await begin();
  const encryption = await encryptionWith([first]);
  const { storage } = stack.use(await startStorage(encryption));
  const reader = startReader(storage, encryption);
  const { assertComplete } = await watched(reader, storage);
  await writeMuch(storage, 10);
  await assertComplete();
  const partitionsRead = await recordsInTopic();
  const opener = new RecordOpener(encryption, topic);
  const changes = partitionsRead.flatMap((records, partition) =>
    records.flatMap(record => {
      const opened = opener.open(partition, record);
      return opened.kind === 'opened' ? decodeFeedRecord(opened.value) : [];
    }),
  );
  assert.ok(changes.length > 50);
  for (const { value, encryptionHeader } of partitionsRead.flat()) {
    assert.ok(Buffer.isBuffer(encryptionHeader));
    for (const text of ['metadata', 'secrets', 'last']) assert.ok(!value.includes(text));
  }
  assert.deepEqual([reader.refusals, reader.feed.refusal], [[], undefined]);
});

test('forged, modified, moved and copied records never reach a cache, and watches have no gap', async () => {
  await begin();
  const encryption = await encryptionWith([first]);
  const { storage } = stack.use(await startStorage(encryption));
  const reader = startReader(storage, encryption);
  const { watch, assertComplete } = await watched(reader, storage);
  await writeMuch(storage, 3);
  const last = await write(storage, secrets, 'a/x', 'genuine');
  await untilLast(watch, last);
  const partition = partitionOf('/core/secrets/', partitions);
  const found = (await recordsInTopic())[partition]?.findLast(
    ({ key }) => key?.toString() === 'core/secrets',
  );
  assert.ok(found && Buffer.isBuffer(found.encryptionHeader));
  const copy = {
    partition,
    key: 'core/secrets',
    value: found.value,
    encryptionHeader: found.encryptionHeader,
  };
  const strangersKeys = await createFeedKeys(kafka.directory, [newFeedKey()]);
  const forged = { partition, key: 'core/secrets', value: forgedEvent(last + 1000) };
  const turned = Buffer.from(found.value);
  turned[40] = (turned[40] ?? 0) ^ 1;
  const before = reader.refusals.length;
  await appendAsStranger([
    forged,
    { ...forged, ...new RecordEncryptor(() => strangersKeys, topic).encrypt(forged) },
    { ...copy, value: turned },
    { ...copy, key: 'core/configmaps' },
    { ...copy, partition: 1 - partition },
    copy,
  ]);
  // A feed that still reads what was before its start reads these records twice.
  const refused = () => Map.groupBy(reader.refusals.slice(before), reason => reason);
  await pollUntil('the refusals', () => (refused().get('forged')?.length ?? 0) >= 3);
  assert.deepEqual([...refused().keys()].toSorted(), ['forged', 'unencrypted', 'unknown-key']);
  await writeMuch(storage, 3);
  await assertComplete();
  assert.equal(reader.feed.refusal, undefined);
});

test('a publisher resumes behind records of others at the end of the topic', async () => {
  await begin();
  const encryption = await encryptionWith([first]);
  const service = await startStorage(encryption);
  const store = stores - 1;
  await write(service.storage, secrets, 'a/x', 'before');
  await pollUntil('records', async () => (await recordsInTopic()).flat().length > 2);
  await service[Symbol.asyncDispose]();
  for (const partition of [0, 1])
    await appendAsStranger([{ partition, key: null, value: forgedEvent(1_000_000) }]);
  const { storage } = stack.use(await startStorage(encryption, store));
  const reader = startReader(storage, encryption);
  const { assertComplete } = await watched(reader, storage);
  await assertComplete();
  const opener = new RecordOpener(encryption, topic);
  const types = (await recordsInTopic()).flatMap((records, partition) =>
    records.map(record => {
      const opened = opener.open(partition, record);
      return opened.kind === 'opened' ? decodeFeedRecord(opened.value)[0]?.type : opened.reason;
    }),
  );
  assert.equal(types.filter(type => type === 'unencrypted').length, partitions);
  assert.ok(!types.includes('RESET'), 'readers need not list again');
});

test('keys are rotated without a gap, first in readers and then in publishers', async () => {
  await begin();
  const old = await startStorage(await encryptionWith([first]));
  const store = stores - 1;
  const both = await encryptionWith([second, first]);
  const reader = startReader(old.storage, both);
  await reader.cache.ready();
  const start = await write(old.storage, secrets, 'z/first', 'first');
  await reader.cache.type(secrets).waitFor(start, call());
  const watch = watchLines(reader.cache.type(secrets), { after: start });
  await writeMuch(old.storage, 3);
  await old[Symbol.asyncDispose]();
  const { storage } = stack.use(await startStorage(both, store));
  await writeMuch(storage, 3);
  const last = await write(storage, secrets, 'z/last', 'last');
  await untilLast(watch, last);
  assert.deepEqual(watch.lines(), listLines(await readHistory(storage, secrets, last), start));
  assert.deepEqual([watch.ends, reader.refusals], [[], []]);
  const late = startReader(storage, await encryptionWith([second]));
  await pollUntil('old records to be refused', () => late.refusals.includes('unknown-key'));
  await late.cache.ready();
  await late.cache.type(secrets).waitFor(await write(storage, secrets, 'z/new', 'new'), call());
  await pollUntil('the reader to trust the feed', () => late.feed.refusal === undefined);
});

const mismatches: readonly (readonly [
  what: string,
  publisher: readonly string[],
  reader: readonly string[],
  reason: RecordRefusal,
])[] = [
  ['a reader without keys', [first], [], 'encrypted'],
  ['a reader with another key', [first], [second], 'unknown-key'],
  ['a reader with keys, where records are in clear', [], [first], 'unencrypted'],
];
for (const [what, publisherLines, readerLines, reason] of mismatches) {
  test(`${what} applies nothing, and reports the refusal until it is repaired`, async () => {
    await begin();
    const { storage } = stack.use(await startStorage(await encryptionWith(publisherLines)));
    const reader = startReader(storage, await encryptionWith(readerLines));
    await reader.cache.ready();
    await write(storage, secrets, 'a/x', 'hidden');
    await pollUntil('the refusal', () => reader.feed.refusal !== undefined);
    assert.equal(reader.feed.refusal?.message, 'kafka record cannot be opened with the keys of this service');
    assert.deepEqual([...new Set(reader.refusals)], [reason]);
    const watch = watchLines(reader.cache.type(secrets), { after: reader.cache.type(secrets).revision });
    await pollUntil('more records', () => reader.refusals.length > 5);
    assert.deepEqual([watch.lines(), watch.ends], [[], []]);
    const repaired = startReader(storage, await encryptionWith(publisherLines));
    const { assertComplete } = await watched(repaired, storage);
    await assertComplete();
  });
}

test('encryption is switched on without a gap, first in readers that accept both and then in publishers', async () => {
  await begin();
  const open = await startStorage(await encryptionWith([]));
  const store = stores - 1;
  const switching = await encryptionWith([first], true);
  const reader = startReader(open.storage, switching);
  await reader.cache.ready();
  const start = await write(open.storage, secrets, 'z/first', 'first');
  await reader.cache.type(secrets).waitFor(start, call());
  const watch = watchLines(reader.cache.type(secrets), { after: start });
  await open[Symbol.asyncDispose]();
  const { storage } = stack.use(await startStorage(switching, store));
  await writeMuch(storage, 3);
  const last = await write(storage, secrets, 'z/last', 'last');
  await untilLast(watch, last);
  assert.deepEqual(watch.lines(), listLines(await readHistory(storage, secrets, last), start));
  assert.deepEqual([watch.ends, reader.refusals], [[], []]);
  const strict = startReader(storage, await encryptionWith([first]));
  const { assertComplete } = await watched(strict, storage);
  await assertComplete();
});

test('a publisher without keys does not write plaintext after encrypted records', async () => {
  await begin();
  const encrypted = await startStorage(await encryptionWith([first]));
  const store = stores - 1;
  await write(encrypted.storage, secrets, 'a/x', 'before');
  await pollUntil('records', async () => (await recordsInTopic()).flat().length > 2);
  await encrypted[Symbol.asyncDispose]();
  const service = stack.use(await startStorage(await encryptionWith([]), store));
  await pollUntil('the refusal', () => service.publishingRefusal !== undefined);
  assert.equal(service.publishingRefusal?.kind, 'record');
  for (const record of (await recordsInTopic()).flat()) assert.ok(record.encryptionHeader !== undefined);
});

test('a publisher that cannot decrypt any record resets the topic, and readers list again', async () => {
  await begin();
  const lost = await startStorage(await encryptionWith([first]));
  const directory = stores - 1;
  // The store is closed and opened again meanwhile.
  let store: Pick<Storage, 'list'> = lost.storage;
  const listed = { list: (...query: Parameters<Storage['list']>) => store.list(...query) };
  const reader = startReader(listed, await encryptionWith([first, second]));
  await reader.cache.ready();
  const start = await write(lost.storage, secrets, 'a/x', 'before');
  const type = reader.cache.type(secrets);
  await type.waitFor(start, call());
  const watch = watchLines(type, { after: start });
  await lost[Symbol.asyncDispose]();
  const { storage } = stack.use(await startStorage(await encryptionWith([second]), directory));
  store = storage;
  const last = await write(storage, secrets, 'a/x', 'after');
  await type.waitFor(last, call());
  await pollUntil('the watch to end', () => watch.ends.length > 0);
  assert.deepEqual([watch.ends, type.get('a', 'x')?.labels['text']], [['expired'], 'after']);
});
