import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

const listKeys = (map: BoundedMap<string, number>) => ['a', 'b', 'c', 'd'].filter(key => map.has(key));

test('a full map removes the oldest entry', () => {
  const map = new BoundedMap<string, number>(2);
  for (const key of ['a', 'b', 'a', 'c']) map.set(key, 1);
  assert.deepEqual([listKeys(map), map.size], [['a', 'c'], 2]);
});

test('a read makes an entry younger, a check for its presence does not', () => {
  const map = new BoundedMap<string, number>(3);
  for (const key of ['a', 'b', 'c']) map.set(key, 1);
  assert.equal(map.get('a'), 1);
  assert.ok(map.has('b'));
  map.set('d', 2);
  assert.deepEqual(listKeys(map), ['a', 'c', 'd']);
  assert.deepEqual([map.get('b'), map.get('d')], [undefined, 2]);
});

test('a replaced entry has the new value, and a deleted one is gone', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('a', 2);
  assert.deepEqual([map.get('a'), map.size], [2, 1]);
  map.delete('a');
  assert.deepEqual([map.get('a'), map.size], [undefined, 0]);
});
