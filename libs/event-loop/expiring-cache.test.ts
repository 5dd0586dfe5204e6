import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExpiringCache } from './expiring-cache.ts';

test('each value is kept for its own time to live', () => {
  let now = 0;
  const cache = new ExpiringCache<string>({ maxEntries: 10, clock: () => now });
  cache.set('long', 'a', 100);
  cache.set('short', 'b', 10);
  cache.set('none', 'c', 0);
  assert.deepEqual([cache.get('long'), cache.get('short'), cache.get('none')], ['a', 'b', undefined]);
  now = 10;
  assert.deepEqual([cache.get('long'), cache.get('short')], ['a', undefined]);
  now = 100;
  assert.equal(cache.get('long'), undefined);
});

test('a clock that is set back does not extend the life of values', () => {
  let now = 100;
  const cache = new ExpiringCache<string>({ maxEntries: 10, clock: () => now });
  cache.set('a', 'a', 100);
  now = 99;
  assert.equal(cache.get('a'), undefined);
  now = 150;
  assert.equal(cache.get('a'), undefined);
});

test('a full cache removes the least recently used entry', () => {
  const cache = new ExpiringCache<string>({ maxEntries: 2, clock: () => 0 });
  cache.set('a', 'a', 1);
  cache.set('b', 'b', 1);
  assert.equal(cache.get('a'), 'a');
  cache.set('c', 'c', 1);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['a', undefined, 'c']);
});
