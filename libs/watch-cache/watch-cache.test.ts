import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSelector, parseLabelSelector } from '@binnacle/api-objects';
import { TypeNotHeld } from './contract/contract.ts';
import type { ChangeFeed } from './contract/feed.ts';
import {
  configMaps,
  ManualClock,
  pods,
  settle,
  startCache,
  watchInto,
} from './test-drivers/cache-under-test.ts';
import { ChangeLog } from './test-drivers/change-log.ts';
import { RecordingSink } from './test-drivers/recording-sink.ts';
import { createWatchCache } from './watch-cache.ts';

test('lists show the objects of storage in key order at one revision', async () => {
  await using t = await startCache({
    before: log => {
      for (const path of ['b/x', 'a-b/z', 'a/y', 'a/b']) log.put(configMaps, path);
      log.put(pods, 'a/p');
    },
  });
  const { objects, revision } = t.configMaps.list({});
  assert.equal(revision, 5);
  assert.deepEqual(
    objects.map(object => `${object.namespace}/${object.name}`),
    ['a-b/z', 'a/b', 'a/y', 'b/x'],
  );
  assert.deepEqual(
    t.configMaps.list({ namespace: 'a' }).objects.map(object => object.name),
    ['b', 'y'],
  );
  assert.equal(t.configMaps.get('a', 'y')?.parse().metadata.resourceVersion, '3');
  assert.equal(t.configMaps.get('a', 'none'), undefined);
});

test('a cache with fixed types names them to the feed, and accepts no others', async () => {
  const opened: unknown[] = [];
  const log = new ChangeLog();
  const feed: ChangeFeed = {
    ...log.feed,
    open: (onMessage, signal, typePrefixes) => {
      opened.push(typePrefixes);
      return log.feed.open(onMessage, signal);
    },
  };
  for (const isFixed of [true, false]) {
    await using cache = createWatchCache({ definitions: [configMaps], storage: log.storage, feed, isFixed });
    const add = () => cache.add(pods);
    if (isFixed) assert.throws(add, TypeNotHeld);
    else assert.equal(add().definition, pods);
    assert.equal(cache.type(configMaps).definition, configMaps);
  }
  assert.deepEqual(opened, [['/core/configmaps/'], undefined]);
});

test('the feed is told how long watches are throttled after a long flush', async () => {
  const log = new ChangeLog();
  const clock = new ManualClock();
  const throttles: number[] = [];
  const feed: ChangeFeed = { ...log.feed, throttle: milliseconds => throttles.push(milliseconds) };
  await using cache = createWatchCache({ definitions: [configMaps], storage: log.storage, feed, clock });
  await cache.ready();
  log.deliver();
  class SlowSink extends RecordingSink {
    override write(frames: Buffer): boolean {
      clock.advance(10);
      return super.write(frames);
    }
  }
  const { sink } = watchInto(cache.type(configMaps), { start: { after: 0 } }, new SlowSink());
  await settle();
  log.put(configMaps, 'a/x');
  log.deliver();
  await settle();
  assert.equal(sink.frames.length, 1);
  assert.deepEqual(throttles, [30]);
});

test('the feed is told whether any watch waits for changes, except by a cache with fixed types', async () => {
  for (const isFixed of [false, true]) {
    const log = new ChangeLog();
    const told: boolean[] = [];
    const feed: ChangeFeed = { ...log.feed, setWatched: isWatched => told.push(isWatched) };
    await using cache = createWatchCache({ definitions: [configMaps], storage: log.storage, feed, isFixed });
    await cache.ready();
    const change = async () => {
      log.put(configMaps, 'a/x');
      log.deliver();
      await settle();
    };
    await change();
    await change();
    assert.deepEqual(told, isFixed ? [] : [false]);
    const first = watchInto(cache.type(configMaps), { start: { after: 0 } });
    const second = watchInto(cache.type(configMaps), { start: { after: 0 } });
    assert.deepEqual(told, isFixed ? [] : [false, true]);
    first.watcher.close();
    await change();
    assert.deepEqual(told, isFixed ? [] : [false, true]);
    second.watcher.close();
    await change();
    assert.deepEqual(told, isFixed ? [] : [false, true, false]);
  }
});

test('a type is read in several pages at one revision', async () => {
  await using t = await startCache({
    before: log => {
      log.pageSize = 3;
      for (let i = 0; i < 10; i++) log.put(configMaps, `a/${i}`);
    },
  });
  assert.equal(t.configMaps.list({}).objects.length, 10);
  assert.equal(t.log.pagesRead, 5);
});

test('a watch gets every change after its start, once and in order', async () => {
  await using t = await startCache({ before: log => log.put(configMaps, 'a/x') });
  const { sink, watcher } = watchInto(t.configMaps, { start: { after: 1 } });
  t.log.put(configMaps, 'a/x', { data: { k: '1' } });
  t.log.put(configMaps, 'a/y');
  t.log.put(pods, 'a/p');
  t.log.delete(configMaps, 'a/x');
  t.log.deliver({ separately: true });
  await settle();
  assert.deepEqual(sink.events, ['MODIFIED a/x@2', 'ADDED a/y@3', 'DELETED a/x@5']);
  assert.equal(watcher.revision, 5);
  watcher.close();
  watcher.close();
  assert.deepEqual(sink.ends, ['closed']);
});

test('objects that begin or cease to match a selector are added or deleted', async () => {
  await using t = await startCache();
  const labelSelector = parseLabelSelector('app=web');
  const { sink } = watchInto(t.configMaps, { start: { after: 0 }, labelSelector });
  t.log.put(configMaps, 'a/x', { labels: { app: 'db' } });
  t.log.put(configMaps, 'a/x', { labels: { app: 'web', v: '1' } });
  t.log.put(configMaps, 'a/x', { labels: { app: 'web', v: '2' } });
  t.log.put(configMaps, 'a/x', { labels: { app: 'db' } });
  t.log.delete(configMaps, 'a/x');
  t.log.put(configMaps, 'a/z', { labels: { app: 'web' } });
  t.log.delete(configMaps, 'a/z');
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, [
    'ADDED a/x@2',
    'MODIFIED a/x@3',
    'DELETED a/x@4',
    'ADDED a/z@6',
    'DELETED a/z@7',
  ]);
  assert.deepEqual(sink.frames[2]?.labels, { app: 'web', v: '2' });
});

test('field selectors use the selectable fields of the kind', async () => {
  await using t = await startCache();
  const fieldSelector = parseFieldSelector('spec.nodeName=n1');
  const { sink } = watchInto(t.pods, { start: { after: 0 }, fieldSelector });
  t.log.put(pods, 'a/p', { spec: { containers: [] } });
  t.log.put(pods, 'a/p', { spec: { containers: [], nodeName: 'n1' } });
  t.log.put(pods, 'a/q', { spec: { containers: [], nodeName: 'n2' } });
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/p@2']);
  assert.deepEqual(
    t.pods.list({ fieldSelector }).objects.map(object => object.name),
    ['p'],
  );
});

test('requested initial events come first and end with a bookmark, and changes follow without a gap', async () => {
  await using t = await startCache({
    before: log => {
      for (let i = 0; i < 300; i++) log.put(configMaps, `a/${String(i).padStart(3, '0')}`);
    },
  });
  const { sink } = watchInto(t.configMaps, { start: { initial: true, bookmark: true } });
  t.log.put(configMaps, 'a/000');
  t.log.deliver();
  await settle(20);
  t.log.put(configMaps, 'a/new');
  t.log.deliver();
  await settle();
  assert.equal(sink.events.length, 302 - 1);
  assert.equal(sink.events.filter(event => event.startsWith('ADDED a/000@301')).length, 1);
  assert.equal(sink.events.at(-1), 'ADDED a/new@302');
  const end = sink.frames.findIndex(frame => frame.isInitialEnd);
  assert.equal(end, 300);
  assert.equal(sink.frames[end]?.revision, 301);
});

test('watches of a group share buffers', async () => {
  await using t = await startCache();
  const first = watchInto(t.configMaps, { start: { after: 0 }, namespace: 'a' });
  const second = watchInto(t.configMaps, { start: { after: 0 }, namespace: 'a' });
  const other = watchInto(t.configMaps, { start: { after: 0 }, namespace: 'b' });
  t.log.put(configMaps, 'a/x');
  t.log.put(configMaps, 'a/y');
  t.log.deliver({ separately: true });
  await settle();
  assert.equal(first.sink.buffers.length, 1);
  assert.equal(first.sink.buffers[0], second.sink.buffers[0]);
  assert.equal(other.sink.buffers.length, 0);
});

test('equal initial events share buffers', async () => {
  await using t = await startCache({ before: log => log.put(configMaps, 'a/x') });
  const sinks = Array.from(
    { length: 3 },
    () => watchInto(t.configMaps, { start: { initial: true, bookmark: false } }).sink,
  );
  await settle();
  assert.deepEqual(sinks[0]?.events, ['ADDED a/x@1']);
  assert.equal(new Set(sinks.map(sink => sink.buffers[0])).size, 1);
});
