import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchEvent } from '@binnacle/proto';
import { type Change, storageKeyFrom } from '@binnacle/storage-contract';
import { PartitionChains, type PartitionRecord } from './partition-chains.ts';
import { packRecords, QuietNotes } from './publish-session.ts';

const partitions = 4;

function change(revision: number): Change {
  const key = storageKeyFrom(`/coordination.cluster.io/leases/ns/${revision}`);
  return {
    type: 'updated',
    revision,
    key,
    value: new Uint8Array(1),
    previousValue: new Uint8Array(1),
    committedAt: 1,
  };
}

/** Publishes batches, `seconds` apart, of a store whose revision is what `revisionAt` gives: a change where it grew. */
function publish(seconds: number, revisionAt: (second: number) => number): PartitionRecord[][] {
  const chains = new PartitionChains(Array.from({ length: partitions }, () => 1));
  const notes = new QuietNotes(partitions);
  const sent: PartitionRecord[][] = [];
  let last = 1;
  for (let second = 0; second < seconds; second++) {
    const now = 1_000_000 + second * 1000;
    const revision = revisionAt(second);
    const batch = { changes: revision > last ? [change(revision)] : [], revision };
    last = revision;
    if (!notes.isWorthRecords(batch, now)) continue;
    const records = chains.recordsFor(batch, now);
    notes.written(records, now);
    sent.push(records);
  }
  return sent;
}

test('without changes all partitions get a progress record every three seconds', () => {
  const sent = publish(60, () => 5);
  assert.equal(sent.length, 20);
  for (const records of sent)
    assert.equal(new Set(records.map(({ partition }) => partition)).size, partitions);
});

test('an occasional change is published with the progress of other partitions, without extra requests', () => {
  const sent = publish(60, second => 2 + Math.floor(second / 2));
  assert.equal(sent.length, 30);
  for (const records of sent) assert.equal(records.length, partitions);
});

test('a partition that lags gets its progress record', () => {
  const notes = new QuietNotes(2);
  const chains = new PartitionChains([1, 1]);
  notes.written(chains.recordsFor({ changes: [], revision: 5 }, 10_000), 10_000);
  assert.equal(notes.isWorthRecords({ changes: [], revision: 5 }, 10_500), false);
  assert.equal(notes.isWorthRecords({ changes: [], revision: 6 }, 10_500), true);
  const records = chains.recordsFor({ changes: [], revision: 6 }, 10_500);
  assert.equal(records.length, 2, 'though both had a record half a second ago');
  notes.written(records, 10_500);
  assert.equal(notes.isWorthRecords({ changes: [], revision: 6 }, 11_500), false);
});

let revision = 0;

function record(partition: number, type: string, bytes = 10): PartitionRecord {
  const event: WatchEvent = {
    type: 'CREATED',
    revision: ++revision,
    previousRevision: revision - 1,
    key: `/${type}/${revision}`,
    value: new Uint8Array(bytes),
    previousValue: new Uint8Array(0),
    committedAt: 0,
    publishedAt: 0,
  };
  return { partition, type, event };
}

test('consecutive changes of a partition and type share a record, in order', () => {
  const [a, b, c, d, e] = [
    record(1, 'core/pods'),
    record(1, 'core/pods'),
    record(1, 'core/events'),
    record(1, 'core/pods'),
    record(2, 'core/pods'),
  ];
  assert.deepEqual(packRecords([a, b, c, d, e]), [
    { partition: 1, type: 'core/pods', events: [a.event, b.event] },
    { partition: 1, type: 'core/events', events: [c.event] },
    { partition: 1, type: 'core/pods', events: [d.event] },
    { partition: 2, type: 'core/pods', events: [e.event] },
  ]);
  assert.deepEqual(packRecords([]), []);
});

test('a full record takes no more changes, whatever the size of the last one', () => {
  const sizes = (records: PartitionRecord[]) => packRecords(records).map(({ events }) => events.length);
  const large = () => record(1, 'core/pods', 100 * 1024);
  assert.deepEqual(sizes([large(), large(), large(), large(), large()]), [3, 2]);
  assert.deepEqual(sizes([record(1, 'core/pods', 1_400_000), record(1, 'core/pods')]), [1, 1]);
});
