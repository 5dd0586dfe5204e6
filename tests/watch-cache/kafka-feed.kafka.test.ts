import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type KafkaServer, pollUntil, startKafka } from '@binnacle/backends';
import { connectTopicAdministration } from '@binnacle/kafka';
import { createStorageService } from '@binnacle/storage';
import type { LocalStorageService } from '@binnacle/storage/testing';
import type { Storage } from '@binnacle/storage-contract';
import { createLogger, createMetrics } from '@binnacle/telemetry';
import { type ChangeFeed, createKafkaFeed, createWatchCache, type WatchCache } from '@binnacle/watch-cache';
import { type LineWatch, listInitialLines, listLines, watchLines } from './line-watch.ts';
import {
  call,
  configMaps,
  coreDefinition,
  readHistory,
  secrets,
  write,
  writeMuch,
} from './storage-writers.ts';

const topic = 'changes';
const namespaces = coreDefinition('namespaces');

let directory: string;
let kafka: KafkaServer;
let service: LocalStorageService;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-watch-cache-'));
  kafka = await startKafka();
  await startStorage();
});

async function startStorage(): Promise<void> {
  service = await createStorageService({
    backend: { kind: 'embedded', directory: join(directory, 'store') },
    kafka: { connection: connection(), topic, partitions: 4, replicationFactor: 1 },
    log: createLogger({ level: 'error' }),
    metrics: createMetrics({ process: false }),
  });
}

after(async () => {
  await service?.[Symbol.asyncDispose]();
  await kafka?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const connection = () => ({ brokers: kafka.brokers, clientId: 'test' });

function startCache(historyWindow = 300_000): WatchCache {
  const feed = createKafkaFeed({ connection: connection(), topic, historyWindow });
  // The store is closed and opened again in between.
  const storage = { list: (...query: Parameters<Storage['list']>) => service.storage.list(...query) };
  return createWatchCache({ definitions: [configMaps, secrets], storage, feed });
}

test('a cache waits for the topic, and its watches get every change once in order', async () => {
  await using cache = startCache();
  await writeMuch(service.storage, 5);
  await cache.ready();
  const type = cache.type(configMaps);
  const initial = watchLines(type, { initial: true, bookmark: true });
  await writeMuch(service.storage, 30);
  const last = await write(service.storage, configMaps, 'z/last', 'last');
  await untilLast(initial, last);
  const history = await readHistory(service.storage, configMaps, last);
  const begin = initial.initialEnd() ?? 0;
  assert.deepEqual(initial.lines(), [...listInitialLines(history, begin), ...listLines(history, begin)]);
});

test('a new cache fills its window from the topic', async () => {
  await using cache = startCache();
  await cache.ready();
  const type = cache.type(configMaps);
  const last = await write(service.storage, configMaps, 'z/last', 'again');
  const history = await readHistory(service.storage, configMaps, last);
  const start = history[0]?.revision ?? 0;
  const watch = watchLines(type, { after: start });
  await untilLast(watch, last);
  assert.deepEqual(watch.lines(), listLines(history, start));
});

test('a cache of control types reads only these, and is current', async () => {
  const feed = createKafkaFeed({ connection: connection(), topic });
  const keys: string[] = [];
  const counted: ChangeFeed = {
    get partitions() {
      return feed.partitions;
    },
    partitionOf: prefix => feed.partitionOf(prefix),
    open: (onMessage, signal, typePrefixes) =>
      feed.open(
        message => {
          if (message.kind === 'changes') keys.push(...message.changes.map(({ key }) => key));
          onMessage(message);
        },
        signal,
        typePrefixes,
      ),
    readHistory: (receiverOf, signal) => feed.readHistory(receiverOf, signal),
  };
  const { storage } = service;
  await using cache = createWatchCache({ definitions: [namespaces], isFixed: true, storage, feed: counted });
  await cache.ready();
  const type = cache.type(namespaces);
  for (const text of ['first', 'second']) {
    await writeMuch(storage, 5);
    const revision = await write(storage, namespaces, '/x', text);
    await type.waitFor(revision, call());
    assert.equal(type.get('', 'x')?.labels['text'], text);
  }
  assert.deepEqual(new Set(keys), new Set(['/core/namespaces//x']));
  // Other types move the partition on as well, by progress records.
  await type.waitFor(await write(storage, configMaps, 'a/x', 'other'), call());
});

test('watches pause while Kafka is down, and continue without a gap', async () => {
  await using cache = startCache();
  await cache.ready();
  const type = cache.type(secrets);
  const start = await write(service.storage, secrets, 'z/first', 'first');
  await type.waitFor(start, call());
  const watch = watchLines(type, { after: start });
  await kafka.kill();
  await writeMuch(service.storage, 5);
  const last = await write(service.storage, secrets, 'z/last', 'last');
  assert.deepEqual(watch.lines(), []);
  await kafka.restart();
  await untilLast(watch, last);
  assert.deepEqual(watch.lines(), listLines(await readHistory(service.storage, secrets, last), start));
  assert.deepEqual(watch.ends, []);
});

test('after the loss of the topic the cache lists again, ends its watches and follows the new topic', async () => {
  await using cache = startCache();
  await cache.ready();
  const type = cache.type(configMaps);
  await type.waitFor(await write(service.storage, configMaps, 'a/x', 'before'), call());
  const watch = watchLines(type, { after: type.revision });
  {
    await using administration = await connectTopicAdministration(connection());
    await administration.deleteTopic(topic);
  }
  const last = await write(service.storage, configMaps, 'a/x', 'after');
  await type.waitFor(last, call());
  assert.equal(type.get('a', 'x')?.labels['text'], 'after');
  const next = await write(service.storage, configMaps, 'a/x', 'next');
  await type.waitFor(next, call());
  const history = await readHistory(service.storage, configMaps, next);
  // The new topic may have grown past the old place before the cache looked: then nothing was missed.
  if (watch.ends.length === 0) await untilLast(watch, next);
  else assert.deepEqual(watch.ends, ['expired']);
  const seen = watch.lines();
  const begin = history.findIndex(change => change.revision === last);
  assert.deepEqual(seen, listLines(history.slice(begin), 0).slice(0, seen.length));
});

test('running and new caches follow a store that was set back to an older copy', async () => {
  const [store, copy] = [join(directory, 'store'), join(directory, 'copy')];
  await write(service.storage, configMaps, 'a/x', 'kept');
  await service[Symbol.asyncDispose]();
  await cp(store, copy, { recursive: true });
  await startStorage();
  await using running = startCache();
  await running.ready();
  await writeMuch(service.storage, 30);
  const lost = await write(service.storage, configMaps, 'a/x', 'lost');
  await running.type(configMaps).waitFor(lost, call());
  await service[Symbol.asyncDispose]();
  await rm(store, { recursive: true });
  await cp(copy, store, { recursive: true });
  await startStorage();
  await using started = startCache();
  for (const cache of [running, started]) {
    const type = cache.type(configMaps);
    // A new cache first reads what was published before the store was set back; where that ends, so do its watches.
    await pollUntil('a watch to see a write, and nothing else', async () => {
      const watch = watchLines(type, { after: type.revision });
      const last = await write(service.storage, configMaps, 'a/x', 'after');
      assert.ok(last < lost);
      const isSeen = () => watch.lines().some(line => line.includes(`@${last} `));
      await pollUntil('the write', () => isSeen() || watch.ends.length > 0, { timeoutMs: 5_000 });
      return isDeepStrictEqual(watch.lines(), [`MODIFIED /core/configmaps/a/x@${last} after`]);
    });
    assert.ok(type.revision < lost);
  }
});

async function untilLast(watch: LineWatch, revision: number): Promise<void> {
  const end = Date.now() + 60_000;
  while (!watch.lines().some(line => line.includes(`@${revision} `))) {
    assert.ok(
      Date.now() < end,
      `the change at ${revision} did not come: ${watch.lines().at(-1)}, ${watch.ends}`,
    );
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
