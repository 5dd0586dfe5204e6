import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRepeated } from './repeated-values.ts';

test('a value is repeated if an equal one precedes it', () => {
  const values = ['a', 'b', 'a', '', 'a', undefined, undefined, ''];
  assert.deepEqual(
    values.map((_, index) => isRepeated(values, index)),
    [false, false, true, false, true, false, true, true],
  );
});

test('a list is read once for all questions about its positions', () => {
  let reads = 0;
  const list = Array.from({ length: 1_000 }, (_, i) => `v${i % 500}`);
  const counted = new Proxy(list, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver);
    },
  });
  const repeated = list.filter((_, index) => isRepeated(counted, index));
  assert.equal(repeated.length, 500);
  assert.equal(reads, 1_000);
});
