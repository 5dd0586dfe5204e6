import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFrom } from '@binnacle/flags';
import { defaultWatchCacheLimits } from '@binnacle/watch-cache';
import { watchCacheFlags } from './watch-cache-flags.ts';

test('without flags the watch cache has its default limits', () => {
  assert.deepEqual(settingsFrom(watchCacheFlags), defaultWatchCacheLimits);
});

const tooSmall: readonly [flag: keyof typeof watchCacheFlags, text: string][] = [
  ['historyWindow', '999ms'],
  ['watchCacheMaxEvents', '0'],
  ['watchCacheMaxEventBytes', '1048575'],
  ['watchCacheMaxWaitingReads', '0'],
  ['watchCacheConcurrentLists', '0'],
  ['watchCacheInitialStateBytes', '1048575'],
  ['watchCacheReplayBytes', '65535'],
  ['watchCacheMaxBurstBytes', '65535'],
  ['watchCacheStallTimeout', '999ms'],
  ['watchCacheBookmarkInterval', '999ms'],
];
for (const [flag, text] of tooSmall) {
  test(`${flag} refuses ${text}`, () => {
    assert.throws(() => watchCacheFlags[flag].parse([text]), /must be at least/);
  });
}
