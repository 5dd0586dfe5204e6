import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countAllocations } from './count-allocations.ts';

test('allocated bytes count, also those that collections have freed meanwhile', () => {
  const count = countAllocations();
  let kept: readonly number[] = [];
  // 100 MB, several times what new objects have room for.
  for (let i = 0; i < 10_000; i++) kept = new Array<number>(1_250).fill(i);
  const allocated = count();
  assert.equal(kept[0], 9_999);
  assert.ok(allocated > 99e6 && allocated < 110e6, `${allocated}`);
});
