import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, partitionOf, storageKeyFrom } from '@binnacle/storage-contract';
import { PartitionChains, type PartitionRecord } from './partition-chains.ts';

/** Two types that lie in different partitions of two. */
const [even, odd] = [0, 1].map(wanted => {
  const names = ['configmaps', 'secrets', 'pods', 'services', 'events', 'endpoints'];
  return names.find(name => partitionOf(`/core/${name}/`, 2) === wanted)!;
});

function change(revision: number, type: string, bytes = 1): Change {
  const key = storageKeyFrom(`/core/${type}/ns/${revision}`);
  const value = new Uint8Array(bytes);
  return { type: 'created', revision, key, value, previousValue: new Uint8Array(0), committedAt: 1 };
}

const inShort = ({ partition, event }: PartitionRecord) =>
  `${partition} ${event.type} ${event.previousRevision}>${event.revision}` +
  (event.reached === undefined ? '' : `..${event.reached}`);

test('each record names its predecessor in the partition', () => {
  const chains = new PartitionChains([10, 7]);
  assert.equal(chains.start, 7);
  chains.recordsFor({ changes: [], revision: 10 }, 1000);
  const changes = [change(11, odd!), change(12, even!), change(13, odd!), change(13, odd!)];
  assert.deepEqual(chains.recordsFor({ changes, revision: 13 }, 1001).map(inShort).toSorted(), [
    '0 CREATED 10>12..13',
    '1 CREATED 10>11',
    '1 CREATED 11>13',
    '1 CREATED 13>13',
  ]);
});

test('records that a partition had before the publisher started are not repeated', () => {
  const chains = new PartitionChains([10, 7]);
  const changes = [change(8, odd!), change(9, even!), change(10, even!), change(10, odd!), change(11, even!)];
  const records = chains.recordsFor({ changes, revision: 11 }, 0).map(inShort);
  assert.deepEqual(records.toSorted(), ['0 CREATED 10>11', '1 CREATED 7>8', '1 CREATED 8>10..11']);
});

test('a partition without records for a second gets a progress record, never behind its end', () => {
  const chains = new PartitionChains([10, 7]);
  assert.deepEqual(chains.recordsFor({ changes: [], revision: 9 }, 5000).map(inShort), ['1 PROGRESS 7>9']);
  const note = chains.recordsFor({ changes: [], revision: 10 }, 5500);
  assert.deepEqual(
    note.map(inShort),
    ['0 PROGRESS 10>10', '1 PROGRESS 9>10'],
    'partition 1 is behind the note',
  );
  assert.deepEqual(chains.recordsFor({ changes: [], revision: 10 }, 5600).map(inShort), []);
  const later = chains.recordsFor({ changes: [change(12, even!)], revision: 12 }, 6500);
  assert.deepEqual(later.map(inShort), ['0 CREATED 10>12', '1 PROGRESS 10>12']);
});

test('the last record of a partition says which revision it covers', () => {
  const chains = new PartitionChains([10, 7]);
  const changes = [change(11, odd!), change(12, odd!), change(13, even!)];
  assert.deepEqual(chains.recordsFor({ changes, revision: 14 }, 0).map(inShort).toSorted(), [
    '0 CREATED 10>13..14',
    '1 CREATED 11>12..14',
    '1 CREATED 7>11',
  ]);
});

test('a type whose revision moved without a change gets a progress record at once', () => {
  const chains = new PartitionChains([10, 7]);
  chains.recordsFor({ changes: [], revision: 10 }, 1000);
  const writtenTypes = [storageKeyFrom(`/core/${odd}/`)];
  assert.deepEqual(chains.recordsFor({ changes: [], revision: 11, writtenTypes }, 1001).map(inShort), [
    '1 PROGRESS 10>11',
  ]);
  const changes = [change(12, odd!)];
  assert.deepEqual(chains.recordsFor({ changes, revision: 12, writtenTypes }, 1002).map(inShort), [
    '1 CREATED 11>12',
  ]);
});

test('the chain of an empty partition starts at the start of the window', () => {
  const chains = new PartitionChains([10, undefined]);
  assert.equal(chains.start, undefined);
  chains.beginAt(5);
  const changes = [change(6, odd!), change(7, even!), change(11, even!)];
  assert.deepEqual(chains.recordsFor({ changes, revision: 11 }, 0).map(inShort).toSorted(), [
    '0 CREATED 10>11',
    '1 CREATED 5>6..11',
  ]);
});

test('a reset is written to every partition, and the chains continue after it', () => {
  const chains = new PartitionChains([10, 7]);
  assert.deepEqual(chains.reset(50, 0).map(inShort), ['0 RESET 10>50', '1 RESET 7>50']);
  const records = chains.recordsFor({ changes: [change(50, even!), change(51, even!)], revision: 51 }, 1);
  assert.deepEqual(records.map(inShort), ['0 CREATED 50>51']);
});

test('a revision that is too large for a batch becomes a reset of its partition', () => {
  const chains = new PartitionChains([1, 1]);
  const changes = [
    change(2, even!),
    change(3, even!, 3_000_000),
    change(3, even!, 3_000_000),
    change(4, even!),
  ];
  assert.deepEqual(chains.recordsFor({ changes, revision: 4 }, 0).map(inShort), [
    '0 CREATED 1>2',
    '0 RESET 2>3',
    '0 CREATED 3>4',
    '1 PROGRESS 1>4',
  ]);
});
