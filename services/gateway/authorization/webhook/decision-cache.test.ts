import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecisionCache, questionKey } from './decision-cache.ts';

test('a cache that is full forgets what was not used for longest', () => {
  const options = { authorizedTtlMs: 10, unauthorizedTtlMs: 10, maxEntries: 2, clock: () => 0 };
  const cache = new DecisionCache(options);
  const decision = { verdict: 'allowed', reason: '' } as const;
  cache.put('a', decision);
  cache.put('b', decision);
  assert.equal(cache.get('a'), decision);
  cache.put('c', decision);
  assert.deepEqual(
    ['a', 'b', 'c'].map(key => cache.get(key) !== undefined),
    [true, false, true],
  );
});

test('a key has the same size for every question, and is another for another', () => {
  const keys = ['', 'a', 'b', 'a'.repeat(100_000)].map(questionKey);
  assert.deepEqual([...new Set(keys.map(key => key.length))], [44]);
  assert.equal(new Set(keys).size, 4);
});
