import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { controlTypes, partitionOf } from './partition.ts';

const bulk: readonly { readonly prefix: string; readonly of8: number; readonly of3: number }[] = [
  { prefix: '/core/configmaps/', of8: 2, of3: 1 },
  { prefix: '/core/secrets/', of8: 4, of3: 1 },
  { prefix: '/core/pods/', of8: 3, of3: 2 },
  { prefix: '/apps/deployments/', of8: 6, of3: 1 },
  {
    prefix: '/coordination.cluster.io/leases/',
    ...{ cluster: { of8: 7, of3: 1 }, kubernetes: { of8: 2, of3: 1 } }[vocabulary],
  },
];
const control = [
  '/core/namespaces/',
  '/core/resourcequotas/',
  '/apiextensions.cluster.io/customresourcedefinitions/',
  '/rbac.authorization.cluster.io/clusterroles/',
];

test('the partition of a type never changes within a layout version', () => {
  for (const { prefix, of8, of3 } of bulk)
    assert.deepEqual([partitionOf(prefix, 8), partitionOf(prefix, 3)], [of8, of3], prefix);
  // Changing the list changes the layout: `feedTopicFromName` in libs/kafka needs a new number, and this test a new digest.
  const list = [...controlTypes];
  for (const prefix of list) assert.equal(partitionOf(prefix, 8), 0, prefix);
  const digest = createHash('sha256').update(list.join()).digest('hex').slice(0, 16);
  assert.equal(digest, { cluster: 'c2b56d1b991bf13d', kubernetes: 'edba80e7bf26f8ad' }[vocabulary]);
});

test('partition 0 holds the control types only', () => {
  for (const partitions of [2, 3, 8, 1000]) {
    for (const prefix of control) assert.equal(partitionOf(prefix, partitions), 0, prefix);
    for (const { prefix } of bulk) {
      const partition = partitionOf(prefix, partitions);
      assert.ok(Number.isInteger(partition) && partition > 0 && partition < partitions, prefix);
    }
  }
});

test('a topic with one partition carries every type', () => {
  for (const prefix of [...control, ...bulk.map(type => type.prefix)])
    assert.equal(partitionOf(prefix, 1), 0, prefix);
});
