import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflictError } from './conflicts.ts';

test('at most a thousand conflicts are listed, and the others are counted', () => {
  const conflicts = Array.from({ length: 1500 }, (_, i) => ({ manager: '"m"', path: `.data.k${i}` }));
  const { causes, message } = conflictError(conflicts);
  assert.equal(causes.length, 1000);
  assert.match(message, /^Apply failed with 1500 conflicts: conflicts with "m":\n/);
  assert.match(message, /- \.data\.k999\nand 500 more$/);
});
