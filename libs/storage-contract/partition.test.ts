import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionOf } from './partition.ts';

const known: readonly { readonly prefix: string; readonly of8: number; readonly of3: number }[] = [
  { prefix: '/core/configmaps/', of8: 4, of3: 2 },
  { prefix: '/core/secrets/', of8: 4, of3: 2 },
  { prefix: '/core/pods/', of8: 7, of3: 0 },
  { prefix: '/apps/deployments/', of8: 2, of3: 0 },
];

test('the partition of a type is what it has always been', () => {
  for (const { prefix, of8, of3 } of known) {
    assert.deepEqual([partitionOf(prefix, 8), partitionOf(prefix, 3)], [of8, of3], prefix);
  }
});

test('every type has a partition, and the only one of a topic that has one', () => {
  for (const { prefix } of known) {
    assert.equal(partitionOf(prefix, 1), 0);
    const partition = partitionOf(prefix, 1000);
    assert.ok(Number.isInteger(partition) && partition >= 0 && partition < 1000);
  }
});
