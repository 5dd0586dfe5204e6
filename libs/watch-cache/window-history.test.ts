import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLabelSelector } from '@binnacle/api-objects';
import type { HistoryReceiver } from './contract/feed.ts';
import {
  type CacheUnderTest,
  configMaps,
  ManualClock,
  pods,
  settle,
  startCache,
  watchInto,
} from './test-drivers/cache-under-test.ts';
import { ChangeLog, createMessage } from './test-drivers/change-log.ts';
import { createWatchCache } from './watch-cache.ts';

/** The history of a cache, read piece by piece under control of a test. */
interface DrivenHistory {
  /** Delivers the written changes after one revision up to another as one piece. */
  piece(after: number, upTo: number): Promise<void>;
  receiver(): HistoryReceiver;
  end(): void;
}

/** Starts a cache on a log with eight changes from before its start: `a/0` to `a/2` and a Pod, each written twice. */
async function startWithHistory(
  options: Parameters<typeof startCache>[0] = {},
): Promise<{ readonly t: CacheUnderTest; readonly history: DrivenHistory }> {
  const reading = Promise.withResolvers<void>();
  let receiver: HistoryReceiver | undefined;
  const t = await startCache({
    before: log => {
      log.readHistory = (given, signal) => {
        receiver = given;
        signal.addEventListener('abort', () => reading.reject(signal.reason));
        return reading.promise;
      };
      for (const version of ['1', '2']) {
        for (const name of ['a/0', 'a/1', 'a/2']) log.put(configMaps, name, { labels: { version } });
        log.put(pods, 'a/p');
      }
    },
    readsHistory: true,
    ...options,
  });
  const present = (): HistoryReceiver => {
    if (receiver === undefined) throw new Error('history is not being read');
    return receiver;
  };
  const history: DrivenHistory = {
    receiver: present,
    async piece(after, upTo) {
      present().receive(
        t.log.history
          .filter(({ revision }) => revision > after && revision <= upTo)
          .map(change => ({ ...change })),
      );
      await present().join(after, upTo);
    },
    end: () => reading.resolve(),
  };
  return { t, history };
}

test('a cache is ready before history is read, which extends its window piece by piece', async () => {
  const { t, history } = await startWithHistory();
  await using _ = t;
  assert.ok(t.cache.isReady);
  assert.equal(t.configMaps.oldestRevision, 8);
  const [early, late, now] = [2, 5, 8].map(after => watchInto(t.configMaps, { start: { after } }).sink);
  await settle();
  assert.deepEqual([early?.ends, late?.ends, now?.ends], [[], [], []]);
  t.log.put(configMaps, 'a/3');
  t.log.deliver();
  await settle();
  assert.deepEqual(now?.events, ['ADDED a/3@9']);
  assert.deepEqual(late?.events, []);
  t.clock.advance(1_000);
  assert.equal(history.receiver().joinsAt, 8);
  await history.piece(4, 9);
  await settle();
  assert.equal(t.configMaps.oldestRevision, 4);
  assert.deepEqual(late?.events, ['MODIFIED a/1@6', 'MODIFIED a/2@7', 'ADDED a/3@9']);
  assert.deepEqual(early?.events, []);
  await history.piece(0, 5);
  await settle();
  assert.equal(t.configMaps.oldestRevision, 0);
  assert.deepEqual(early?.events, [
    'ADDED a/2@3',
    'MODIFIED a/0@5',
    'MODIFIED a/1@6',
    'MODIFIED a/2@7',
    'ADDED a/3@9',
  ]);
  assert.deepEqual([early?.ends, late?.ends, now?.ends], [[], [], []]);
  const all = watchInto(t.pods, { start: { after: 0 } }).sink;
  await settle();
  assert.deepEqual(all.events, ['ADDED a/p@4', 'MODIFIED a/p@8']);
});

test('changes that came with the history are not repeated by a feed that lags', async () => {
  const log = new ChangeLog();
  const clock = new ManualClock();
  const reading = Promise.withResolvers<HistoryReceiver>();
  log.readHistory = async receiver => reading.resolve(receiver);
  for (const name of ['a/0', 'a/1']) log.put(configMaps, name);
  log.transact(['a/0', 'a/1', 'a/2'].map(path => ({ definition: configMaps, path, sketch: {} })));
  log.put(configMaps, 'a/3');
  const changes = log.history.slice();
  log.lose();
  await using cache = createWatchCache({
    definitions: [configMaps],
    storage: log.storage,
    feed: log.feed,
    clock,
  });
  await cache.ready();
  const type = cache.type(configMaps);
  const held = log.readHistory;
  log.readHistory = async receiver => {
    await held(receiver, new AbortController().signal);
    receiver.receive(changes);
    await receiver.join(0, 4);
  };
  clock.advance(1_000);
  await reading.promise;
  await settle();
  assert.equal(type.oldestRevision, 0);
  // The feed reaches the listing's revision only now, in a message that begins before it and ends after it.
  log.put(configMaps, 'a/4');
  log.send(createMessage([...changes.slice(1), ...log.history.slice(-1)], 5));
  const { sink } = watchInto(type, { start: { after: 0 } });
  await settle();
  assert.deepEqual(sink.events, [
    'ADDED a/0@1',
    'ADDED a/1@2',
    'MODIFIED a/0@3',
    'MODIFIED a/1@3',
    'ADDED a/2@3',
    'ADDED a/3@4',
    'ADDED a/4@5',
  ]);
});

test('a piece of history that is not adjacent to the window is not used', async () => {
  const { t, history } = await startWithHistory();
  await using _ = t;
  t.clock.advance(1_000);
  const { sink } = watchInto(t.configMaps, { start: { after: 2 } });
  await history.piece(0, 6);
  assert.equal(t.configMaps.oldestRevision, 8);
  assert.deepEqual(sink.ends, ['expired']);
});

test('a discarded piece of history has no effect', async () => {
  const { t, history } = await startWithHistory();
  await using _ = t;
  t.clock.advance(1_000);
  history.receiver().receive(t.log.history.slice(0, 3));
  history.receiver().discard();
  await history.piece(5, 8);
  assert.equal(t.configMaps.oldestRevision, 5);
  const { sink } = watchInto(t.configMaps, { start: { after: 5 } });
  await settle();
  assert.deepEqual(sink.events, ['MODIFIED a/1@6', 'MODIFIED a/2@7']);
});

test('watches that wait for history expire when there is no more, or at the timeout', async () => {
  for (const isTooLong of [false, true]) {
    const { t, history } = await startWithHistory();
    await using _ = t;
    t.clock.advance(1_000);
    const { sink } = watchInto(t.configMaps, { start: { after: 2 } });
    await settle();
    assert.deepEqual(sink.ends, []);
    if (isTooLong) t.clock.advance(60_000);
    else history.end();
    await settle();
    assert.deepEqual(sink.ends, ['expired']);
    assert.deepEqual(watchInto(t.configMaps, { start: { after: 2 } }).sink.ends, ['expired']);
  }
});

test('history from before a gap is not added to the window', async () => {
  const { t, history } = await startWithHistory();
  await using _ = t;
  t.clock.advance(1_000);
  const { sink } = watchInto(t.configMaps, { start: { after: 2 } });
  t.log.gap();
  await settle();
  t.log.put(configMaps, 'a/9');
  t.log.deliver();
  assert.deepEqual(sink.ends, ['expired']);
  assert.ok(!history.receiver().isWanted);
  await history.piece(0, 8);
  assert.equal(t.configMaps.oldestRevision, 8);
});

test('a nearly full window keeps the newest part of a piece, and none after it', async () => {
  const { t, history } = await startWithHistory({ limits: { watchCacheMaxEvents: 2 } });
  await using _ = t;
  t.clock.advance(1_000);
  const waiting = [2, 5].map(after => watchInto(t.configMaps, { start: { after } }).sink);
  await history.piece(0, 8);
  await settle();
  assert.equal(t.configMaps.oldestRevision, 5);
  assert.deepEqual(waiting[0]?.ends, ['expired']);
  assert.deepEqual(waiting[1]?.events, ['MODIFIED a/1@6', 'MODIFIED a/2@7']);
});

test('selectors see the objects before the first change of a piece', async () => {
  const { t, history } = await startWithHistory();
  await using _ = t;
  t.clock.advance(1_000);
  const labelSelector = parseLabelSelector('version=1');
  await history.piece(4, 8);
  const { sink } = watchInto(t.configMaps, { start: { after: 4 }, labelSelector });
  await settle();
  assert.deepEqual(sink.events, ['DELETED a/0@5', 'DELETED a/1@6', 'DELETED a/2@7']);
});
