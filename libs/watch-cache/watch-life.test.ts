import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDeadline } from '@binnacle/proto';
import type { CacheEvent } from './contract/contract.ts';
import { configMaps, pods, settle, startCache, watchInto } from './test-drivers/cache-under-test.ts';
import { createMessage } from './test-drivers/change-log.ts';
import { lineEncoding, RecordingSink } from './test-drivers/recording-sink.ts';

function call() {
  return { signal: new AbortController().signal, deadline: noDeadline };
}

test('a watch can start at every revision in the window, and at none before it', async () => {
  await using t = await startCache({ limits: { watchCacheMaxEvents: 20 } });
  for (let i = 0; i < 30; i++) t.log.put(configMaps, `a/${i}`);
  t.log.deliver({ separately: true });
  assert.equal(t.configMaps.oldestRevision, 10);
  for (let after = 10; after <= 30; after++) {
    const { sink } = watchInto(t.configMaps, { start: { after } });
    await settle();
    assert.equal(sink.events.length, 30 - after);
    assert.equal(sink.events[0], after < 30 ? `ADDED a/${after}@${after + 1}` : undefined);
  }
  const { sink } = watchInto(t.configMaps, { start: { after: 9 } });
  assert.deepEqual(sink.ends, ['expired']);
});

test('a long replay is sent in pieces that do not split the changes of one revision', async () => {
  await using t = await startCache();
  t.log.put(configMaps, 'a/0');
  t.log.put(configMaps, 'b/0');
  for (let i = 0; i < 1000; i++) {
    t.log.transact(
      ['a', 'b', 'c'].map(namespace => ({ definition: configMaps, path: `${namespace}/${i}`, sketch: {} })),
    );
  }
  t.log.deliver();
  // Three starts: wherever pieces end, two of the starts would split a revision.
  for (const after of [0, 1, 2]) {
    const { sink } = watchInto(t.configMaps, { start: { after } });
    await settle(20);
    assert.equal(sink.events.length, 3002 - after);
    assert.equal(new Set(sink.events).size, 3002 - after);
    assert.ok(sink.buffers.length > 1);
  }
});

test('old changes leave the window', async () => {
  await using t = await startCache({ limits: { historyWindow: 60_000 } });
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  t.clock.advance(50_000);
  t.log.put(configMaps, 'a/y');
  t.log.deliver();
  assert.equal(t.configMaps.oldestRevision, 0);
  t.clock.advance(20_000);
  assert.equal(t.configMaps.oldestRevision, 1);
  assert.equal(t.configMaps.list({}).objects.length, 2);
});

test('initial events not older than a future revision are sent when it is reached', async () => {
  await using t = await startCache({ before: log => log.put(configMaps, 'a/x') });
  const { sink, watcher } = watchInto(t.configMaps, { start: { initial: true, bookmark: true, atLeast: 3 } });
  t.log.put(configMaps, 'a/y');
  t.log.deliver();
  await settle();
  assert.equal(sink.frames.length, 0);
  t.log.put(pods, 'a/p');
  t.log.put(configMaps, 'a/z');
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/x@1', 'ADDED a/y@2', 'ADDED a/z@4']);
  const last = sink.frames.at(-1);
  assert.deepEqual([last?.type, last?.isInitialEnd, last?.revision], ['BOOKMARK', true, 4]);
  assert.equal(watcher.revision, 4);
  t.log.put(configMaps, 'a/w');
  t.log.deliver();
  await settle();
  assert.equal(sink.events.at(-1), 'ADDED a/w@5');
});

test('initial events not older than the current revision are sent at once', async () => {
  await using t = await startCache({ before: log => log.put(configMaps, 'a/x') });
  const { sink } = watchInto(t.configMaps, { start: { initial: true, bookmark: true, atLeast: 1 } });
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/x@1']);
  assert.equal(sink.bookmarks[0]?.isInitialEnd, true);
});

test('a watch at a future revision gets only later changes', async () => {
  await using t = await startCache();
  const { sink } = watchInto(t.configMaps, { start: { after: 2 } });
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  t.log.put(configMaps, 'a/y');
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, []);
  t.log.put(configMaps, 'a/z');
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/z@3']);
});

test('after a gap types are listed anew and their watches end, and later watches work', async () => {
  await using t = await startCache({ before: log => log.put(configMaps, 'a/gone') });
  const seen: string[] = [];
  t.configMaps.subscribe((event: CacheEvent) => {
    seen.push(`${event.type} ${event.object.name}@${event.revision}`);
  });
  const before = watchInto(t.configMaps, { start: { after: 1 } });
  t.log.put(configMaps, 'a/lost');
  t.log.delete(configMaps, 'a/gone');
  t.log.lose();
  const barrier = Promise.withResolvers<void>();
  t.log.listBarrier = barrier.promise;
  t.log.gap();
  assert.deepEqual(before.sink.ends, ['expired']);
  assert.equal(t.configMaps.revision, 1);
  assert.ok(t.cache.isReady);
  const during = watchInto(t.configMaps, { start: { initial: true, bookmark: true } });
  const waiting = t.configMaps.waitFor(4, call());
  t.log.put(configMaps, 'a/new');
  t.log.deliver();
  await settle();
  assert.deepEqual(during.sink.events, []);
  barrier.resolve();
  await waiting;
  await settle();
  assert.deepEqual(during.sink.events, ['ADDED a/lost@2', 'ADDED a/new@4']);
  assert.deepEqual(seen, ['ADDED lost@2', 'ADDED new@4', 'DELETED gone@4']);
  assert.equal(t.configMaps.revision, 4);
  const old = watchInto(t.configMaps, { start: { after: 1 } });
  assert.deepEqual(old.sink.ends, ['expired']);
});

test('history that the feed delivers after the list fills the window', async () => {
  await using t = await startCache({
    before: log => {
      log.put(configMaps, 'a/x', { labels: { v: '1' } });
      log.put(configMaps, 'a/x', { labels: { v: '2' } });
      log.put(configMaps, 'a/y');
      log.delete(configMaps, 'a/y');
    },
  });
  assert.equal(t.configMaps.revision, 4);
  assert.equal(t.configMaps.oldestRevision, 4);

  await using u = await startCache();
  for (const version of ['1', '2', '3']) u.log.put(configMaps, 'a/x', { labels: { v: version } });
  u.log.delete(configMaps, 'a/x');
  const changes = u.log.history.slice();
  u.log.lose();
  u.log.gap();
  await settle();
  assert.equal(u.configMaps.revision, 4);
  const early = watchInto(u.configMaps, { start: { after: 2 } });
  const present = watchInto(u.configMaps, { start: { after: 4 } });
  u.log.send(createMessage(changes.slice(1, 3), 3));
  await settle();
  assert.deepEqual(early.sink.events, []);
  u.log.send(createMessage(changes.slice(3), 4));
  u.log.put(configMaps, 'a/z');
  u.log.deliver();
  await settle();
  assert.equal(u.configMaps.oldestRevision, 1);
  assert.deepEqual(early.sink.events, ['MODIFIED a/x@3', 'DELETED a/x@4', 'ADDED a/z@5']);
  assert.deepEqual(present.sink.events, ['ADDED a/z@5']);
  assert.deepEqual(early.sink.frames[1]?.labels, { v: '3' });
});

test('repeated messages change nothing', async () => {
  await using t = await startCache();
  const { sink } = watchInto(t.configMaps, { start: { after: 0 } });
  t.log.put(configMaps, 'a/x');
  t.log.delete(configMaps, 'a/x');
  const changes = t.log.history.slice();
  t.log.deliver();
  t.log.send(createMessage(changes, 2));
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/x@1', 'DELETED a/x@2']);
  assert.equal(t.configMaps.list({}).objects.length, 0);
});

test('a watch that is not read is ended, and the others continue', async () => {
  await using t = await startCache();
  const slow = watchInto(t.configMaps, { start: { after: 0 } }, new RecordingSink(1000));
  const fast = watchInto(t.configMaps, { start: { after: 0 } });
  slow.sink.isPaused = true;
  for (let i = 0; i < 50; i++) {
    t.log.put(configMaps, `a/${i}`);
    t.log.deliver();
    await settle(1);
  }
  await settle();
  assert.deepEqual(slow.sink.ends, ['slow']);
  assert.ok(slow.sink.buffered < 1200);
  assert.equal(fast.sink.events.length, 50);
});

test('a backlog is sent in pieces, at the pace of each client', async () => {
  await using t = await startCache();
  const slow = watchInto(t.configMaps, { start: { after: 0 } }, new RecordingSink(100_000));
  const fast = Array.from({ length: 2 }, () => watchInto(t.configMaps, { start: { after: 0 } }));
  slow.sink.isPaused = true;
  for (let i = 0; i < 4000; i++) t.log.put(configMaps, `a/${i}`, { labels: { padding: 'x'.repeat(60) } });
  t.log.deliver();
  await settle(40);
  for (const { sink } of fast) assert.equal(sink.events.length, 4000);
  assert.equal(fast[0]?.sink.buffers[0], fast[1]?.sink.buffers[0]);
  assert.ok(slow.sink.buffered <= 128 * 1024);
  slow.sink.isPaused = false;
  slow.sink.drain();
  t.clock.advance(10);
  await settle(40);
  t.log.put(configMaps, 'a/last');
  t.log.deliver();
  await settle();
  assert.deepEqual(slow.sink.events, fast[0]?.sink.events);
  assert.equal(slow.sink.events.at(-1), 'ADDED a/last@4001');
  assert.deepEqual(slow.sink.ends, []);
});

test('a large initial state is sent in pieces of limited size, at the pace of the client', async () => {
  await using t = await startCache({
    before: log => {
      for (let i = 0; i < 3000; i++) log.put(configMaps, `a/${i}`, { labels: { padding: 'x'.repeat(60) } });
    },
  });
  const start = { initial: true, bookmark: true } as const;
  const { sink } = watchInto(t.configMaps, { start }, new RecordingSink(100_000));
  sink.isPaused = true;
  await settle(30);
  assert.ok(sink.buffered > 0 && sink.buffered <= 128 * 1024);
  assert.ok(sink.events.length < 3000);
  t.log.put(configMaps, 'a/later');
  t.log.deliver();
  for (let i = 0; i < 100 && sink.bookmarks.length === 0; i++) {
    sink.drain();
    t.clock.advance(10);
    await settle(3);
  }
  sink.isPaused = false;
  sink.drain();
  t.clock.advance(10);
  await settle(10);
  assert.equal(sink.events.length, 3001);
  assert.equal(sink.events.at(-1), 'ADDED a/later@3001');
  assert.deepEqual(sink.ends, []);
});

test('a client that does not read its initial state for long is ended as slow', async () => {
  await using t = await startCache({
    before: log => {
      for (let i = 0; i < 3000; i++) log.put(configMaps, `a/${i}`);
    },
  });
  const { sink } = watchInto(t.configMaps, { start: { initial: true, bookmark: false } });
  sink.isPaused = true;
  await settle(20);
  for (let i = 0; i < 5; i++) {
    t.clock.advance(10_000);
    await settle(3);
  }
  assert.deepEqual(sink.ends, ['slow']);
});

test('every watch that asks for bookmarks gets one per interval, spread over the interval', async () => {
  await using t = await startCache({ limits: { watchCacheBookmarkInterval: 60_000 } });
  const watches = Array.from({ length: 120 }, () =>
    watchInto(t.configMaps, { start: { after: 0 }, bookmarks: true }),
  );
  const without = watchInto(t.configMaps, { start: { after: 0 } });
  t.log.put(pods, 'a/p');
  t.log.deliver();
  t.clock.advance(1000);
  const atOnce = watches.filter(({ sink }) => sink.bookmarks.length > 0).length;
  assert.ok(atOnce > 0 && atOnce <= 4, `${atOnce} at once`);
  t.clock.advance(59_500);
  for (const { sink } of watches)
    assert.deepEqual(
      sink.bookmarks.map(each => each.revision),
      [1],
    );
  assert.equal(without.sink.frames.length, 0);
});

test('a drain sends a last bookmark to every watch and ends it, and later watches too', async () => {
  await using t = await startCache();
  const live = watchInto(t.configMaps, { start: { after: 0 }, bookmarks: true });
  const plain = watchInto(t.configMaps, { start: { after: 0 } });
  const future = watchInto(t.configMaps, { start: { after: 99 }, bookmarks: true });
  const waiting = assert.rejects(t.configMaps.waitFor(99, call()), { reason: 'ServiceUnavailable' });
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await t.cache.drain();
  await waiting;
  const late = watchInto(t.configMaps, { start: { after: 0 } });
  assert.deepEqual(
    live.sink.frames.map(frame => frame.type),
    ['ADDED', 'BOOKMARK'],
  );
  for (const { sink } of [live, plain, future, late]) assert.deepEqual(sink.ends, ['stopping']);
});

test('calls that wait for a revision are answered during a drain, and refused after its time', async () => {
  await using t = await startCache();
  const [coming, never] = [1, 99].map(revision => t.configMaps.waitFor(revision, call()));
  const refused = assert.rejects(never!, { reason: 'ServiceUnavailable' });
  const draining = t.cache.drain(60);
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await coming;
  t.clock.advance(60);
  await refused;
  await draining;
});

test('watches get changes during a drain until they end', async () => {
  await using t = await startCache();
  const watches = Array.from({ length: 3 }, () =>
    watchInto(t.configMaps, { start: { after: 0 }, bookmarks: true }),
  );
  const turns = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve));
  };
  const draining = t.cache.drain(60);
  await turns();
  assert.deepEqual(
    watches.map(({ sink }) => sink.ends.length),
    [1, 0, 0],
  );
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  for (let passed = 0; passed < 60; passed += 10) {
    t.clock.advance(10);
    await turns();
  }
  await draining;
  assert.deepEqual(
    watches.map(({ sink }) => [sink.frames.map(frame => frame.type), sink.ends]),
    [
      [['BOOKMARK'], ['stopping']],
      [['ADDED', 'BOOKMARK'], ['stopping']],
      [['ADDED', 'BOOKMARK'], ['stopping']],
    ],
  );
});

test('a wait for a revision ends when the revision is reached, or with the call', async () => {
  await using t = await startCache({ limits: { watchCacheMaxWaitingReads: 3 } });
  await t.configMaps.waitFor(0, call());
  const stop = new AbortController();
  const first = t.configMaps.waitFor(1, call());
  const aborted = t.configMaps.waitFor(5, { signal: stop.signal, deadline: noDeadline });
  const late = t.configMaps.waitFor(5, {
    signal: new AbortController().signal,
    deadline: t.clock.deadlineIn(1000),
  });
  await assert.rejects(t.configMaps.waitFor(1, call()), { reason: 'TooManyRequests' });
  stop.abort();
  await assert.rejects(aborted, { reason: 'Timeout', code: 504 });
  t.log.put(pods, 'a/p');
  t.log.deliver();
  await first;
  t.clock.advance(1001);
  await assert.rejects(late, { reason: 'Timeout' });
  await assert.rejects(t.configMaps.waitFor(9, { signal: AbortSignal.abort(), deadline: noDeadline }));
});

test('watches with different selectors share the bytes of a change', async () => {
  await using t = await startCache();
  let encoded = 0;
  const lines = lineEncoding();
  const encoding = {
    ...lines,
    event: (event: Parameters<typeof lines.event>[0]) => {
      encoded++;
      return lines.event(event);
    },
  };
  const all = watchInto(t.configMaps, { start: { after: 0 }, encoding });
  const some = watchInto(t.configMaps, { start: { after: 0 }, namespace: 'a', encoding });
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await settle();
  assert.equal(encoded, 1);
  assert.equal(all.sink.buffers[0], some.sink.buffers[0]);
});

test('an object that cannot be encoded ends the watches of its group', async () => {
  await using t = await startCache();
  const broken = {
    ...lineEncoding('broken'),
    event: () => {
      throw new Error('no such form');
    },
  };
  const failing = watchInto(t.configMaps, { start: { after: 0 }, encoding: broken });
  const initial = watchInto(t.configMaps, { start: { after: 0 } });
  t.log.put(configMaps, 'a/x');
  t.log.deliver();
  await settle();
  assert.deepEqual(failing.sink.ends, ['expired']);
  assert.deepEqual(initial.sink.events, ['ADDED a/x@1']);
});

test('the list of an unchanged type is the same array', async () => {
  await using t = await startCache({
    before: log => {
      for (const path of ['a/x', 'b/y']) log.put(configMaps, path);
    },
  });
  const { objects } = t.configMaps.list({});
  assert.equal(t.configMaps.list({}).objects, objects);
  t.log.put(configMaps, 'a/z');
  t.log.deliver();
  assert.equal(objects.length, 2);
  assert.deepEqual(
    t.configMaps.list({}).objects.map(object => object.name),
    ['x', 'z', 'y'],
  );
});

test('a store that was set back to an older state is followed from there', async () => {
  await using t = await startCache({ before: log => log.put(configMaps, 'a/kept') });
  t.log.put(configMaps, 'a/again', { labels: { v: 'lost' } });
  t.log.put(configMaps, 'a/lost');
  t.log.deliver();
  assert.equal(t.configMaps.revision, 3);
  t.log.setBack(1);
  t.log.put(configMaps, 'a/again', { labels: { v: 'new' } });
  t.log.lose();
  t.log.gap();
  await settle();
  assert.equal(t.configMaps.revision, 2);
  assert.deepEqual(t.configMaps.get('a', 'again')?.labels, { v: 'new' });
  const { sink } = watchInto(t.configMaps, { start: { after: 2 } });
  t.log.put(configMaps, 'a/later');
  t.log.deliver();
  await t.configMaps.waitFor(3, call());
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/later@3']);
  assert.deepEqual(
    t.configMaps.list({}).objects.map(({ name }) => name),
    ['again', 'kept', 'later'],
  );
});
