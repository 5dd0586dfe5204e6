import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchEvent } from '@binnacle/proto';
import type { PartitionRecord } from './partition-chains.ts';
import { packsOf } from './publish-session.ts';

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

test('changes of one partition and type that follow each other share a pack, in order', () => {
  const [a, b, c, d, e] = [
    record(1, 'core/pods'),
    record(1, 'core/pods'),
    record(1, 'core/events'),
    record(1, 'core/pods'),
    record(2, 'core/pods'),
  ];
  assert.deepEqual(packsOf([a, b, c, d, e]), [
    { partition: 1, type: 'core/pods', events: [a.event, b.event] },
    { partition: 1, type: 'core/events', events: [c.event] },
    { partition: 1, type: 'core/pods', events: [d.event] },
    { partition: 2, type: 'core/pods', events: [e.event] },
  ]);
  assert.deepEqual(packsOf([]), []);
});

test('a full pack takes no more, whatever the size of the one that filled it', () => {
  const sizes = (records: PartitionRecord[]) => packsOf(records).map(({ events }) => events.length);
  const large = () => record(1, 'core/pods', 100 * 1024);
  assert.deepEqual(sizes([large(), large(), large(), large(), large()]), [3, 2]);
  assert.deepEqual(sizes([record(1, 'core/pods', 1_400_000), record(1, 'core/pods')]), [1, 1]);
});
