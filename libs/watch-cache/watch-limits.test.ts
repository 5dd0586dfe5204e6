import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import type { WatchEncoding } from './contract/contract.ts';
import { configMaps, settle, startCache, watchInto } from './test-drivers/cache-under-test.ts';
import { ChangeLog } from './test-drivers/change-log.ts';
import { lineEncoding } from './test-drivers/recording-sink.ts';
import { createWatchCache } from './watch-cache.ts';

/** Creates an encoding that counts the events that it encodes. */
function countingEncoding(): { encoding: WatchEncoding; readonly count: number } {
  const lines = lineEncoding('counted');
  let count = 0;
  const encoding: WatchEncoding = {
    ...lines,
    event: event => {
      count++;
      return lines.event(event);
    },
  };
  return {
    encoding,
    get count() {
      return count;
    },
  };
}

test('the size of the objects in a window is limited', async () => {
  const sketch = { data: { text: 'x'.repeat(1000) } };
  const oldest = async (watchCacheMaxEventBytes: number) => {
    await using t = await startCache({ limits: { watchCacheMaxEventBytes } });
    for (let i = 0; i < 10; i++) t.log.put(configMaps, `a/${i}`, sketch);
    t.log.deliver({ separately: true });
    return t.configMaps.oldestRevision;
  };
  assert.equal(await oldest(100_000), 0);
  const kept = 10 - (await oldest(5_000));
  assert.ok(kept === 3 || kept === 4, `${kept} events of more than 1,000 bytes in 5,000`);
});

for (const watchCacheConcurrentLists of [1, 3]) {
  test(`${watchCacheConcurrentLists} types are listed at a time`, async () => {
    const log = new ChangeLog();
    let active = 0;
    let most = 0;
    const list: typeof log.storage.list = async query => {
      most = Math.max(most, ++active);
      await new Promise(resolve => setImmediate(resolve));
      active--;
      return log.storage.list(query);
    };
    const definitions = createTypeRegistry().resources.filter(({ stored }) => stored);
    const limits = { watchCacheConcurrentLists };
    await using cache = createWatchCache({ definitions, storage: { list }, feed: log.feed, limits });
    await cache.ready();
    assert.equal(most, watchCacheConcurrentLists);
  });
}

const encodings: readonly [what: string, limits: object, encoded: number][] = [
  ['kept', {}, 20],
  ['encoded anew where their limit has no room', { watchCacheInitialStateBytes: 1 }, 40],
];
for (const [what, limits, encoded] of encodings) {
  test(`initial states are ${what}`, async () => {
    await using t = await startCache({
      limits,
      before: log => {
        for (let i = 0; i < 20; i++) log.put(configMaps, `a/${i}`);
      },
    });
    const counting = countingEncoding();
    for (let watch = 0; watch < 2; watch++) {
      const { encoding } = counting;
      watchInto(t.configMaps, { start: { initial: true, bookmark: false }, encoding });
      await settle(20);
    }
    assert.equal(counting.count, encoded);
  });
}

const replays: readonly [what: string, limits: object, encoded: number][] = [
  ['kept', {}, 20],
  ['encoded anew beyond their limit', { watchCacheReplayBytes: 1 }, 39],
];
for (const [what, limits, encoded] of replays) {
  test(`past events of watches that catch up are ${what}`, async () => {
    await using t = await startCache({ limits });
    for (let i = 0; i < 20; i++) t.log.put(configMaps, `a/${i}`);
    t.log.deliver();
    const counting = countingEncoding();
    const { encoding } = counting;
    // Watches with different starts share encoded events, but no whole pieces. The first event is kept regardless of the limit.
    for (const after of [0, 1]) watchInto(t.configMaps, { start: { after }, encoding });
    await settle(20);
    assert.equal(counting.count, encoded);
  });
}

for (const [watchCacheMaxBurstBytes, isWhole] of [
  [1_000_000, true],
  [1_000, false],
] as const) {
  test(`a flush is written ${isWhole ? 'whole' : 'in pieces'} with bursts of ${watchCacheMaxBurstBytes} bytes`, async () => {
    await using t = await startCache({ limits: { watchCacheMaxBurstBytes } });
    const { sink } = watchInto(t.configMaps, { start: { after: 0 } });
    await settle(5);
    for (let i = 0; i < 1500; i++) t.log.put(configMaps, `a/${i}`);
    t.log.deliver();
    await settle(20);
    assert.equal(sink.events.length, 1500);
    assert.equal(sink.buffers.length === 1, isWhole, `${sink.buffers.length} buffers`);
  });
}

for (const [watchCacheStallTimeout, ends] of [
  [5_000, ['slow']],
  [60_000, []],
] as const) {
  test(`a client that does not read for 10 s with a limit of ${watchCacheStallTimeout} ms`, async () => {
    await using t = await startCache({
      limits: { watchCacheStallTimeout },
      before: log => {
        for (let i = 0; i < 3000; i++) log.put(configMaps, `a/${i}`);
      },
    });
    const { sink } = watchInto(t.configMaps, { start: { initial: true, bookmark: false } });
    sink.isPaused = true;
    await settle(20);
    t.clock.advance(10_000);
    await settle(3);
    assert.deepEqual(sink.ends, ends);
  });
}
