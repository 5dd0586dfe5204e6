import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallContext, deadlineIn, unrecordedTrace } from '@binnacle/proto';
import { type Change, type StorageKey, storageKeyFrom, type Transaction } from '@binnacle/storage-contract';
import { useSharedEtcd } from '../../test-drivers/shared-etcd.ts';
import { Batch, batchMember } from './batch.ts';
import { decodeTraces, encodeTraces } from './batch-traces.ts';
import { connectEtcd } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';

const etcd = useSharedEtcd();
const key = (name: string): StorageKey => storageKeyFrom(`/core/configmaps/ns/${name}`);

function traceparentOf(number: number, flags = '01'): string {
  return `00-${`${number}`.padStart(32, 'a')}-${'b'.repeat(16)}-${flags}`;
}

/** A call whose trace has that number; without a number it has none. */
function call(number?: number, flags?: string): CallContext {
  const context = { signal: new AbortController().signal, deadline: deadlineIn(20_000) };
  if (number === undefined) return context;
  return {
    ...context,
    trace: unrecordedTrace({ traceparent: traceparentOf(number, flags), tracestate: '' }),
  };
}

const put = (name: string): Transaction => ({
  preconditions: [],
  puts: [{ key: key(name), value: Buffer.from('x') }],
  deletes: [],
});
const remove = (name: string): Transaction => ({ preconditions: [], puts: [], deletes: [key(name)] });

test('the trace of a write reaches the changes that another pod reads: alone, in a batch, of a deletion', async () => {
  const prefix = '/traced';
  using writing = connectEtcd({ endpoints: [etcd().endpoint], prefix });
  using reading = connectEtcd({ endpoints: [etcd().endpoint], prefix });
  const writer = createEtcdStorage(writing);
  const after = await writer.typeRevision(undefined, call());
  await writer.transact(put('alone'), call(1));
  await writer.transact(put('untraced'), call());
  const outcomes = await Promise.all([
    writer.transact(put('first'), call(2)),
    writer.transact(put('second'), call(3, '00')),
    writer.transact(put('third'), call(4)),
    writer.transact(remove('alone'), call(5)),
  ]);
  const deleted = await writer.transact(remove('first'), call(6));
  const stop = new AbortController();
  const seen: Change[] = [];
  const reader = createEtcdStorage(reading);
  for await (const batch of reader.changes({ after }, { ...call(), signal: stop.signal })) {
    seen.push(...batch.changes);
    if (batch.revision >= deleted.revision) stop.abort();
  }
  assert.deepEqual(
    seen.map(change => [change.type, change.key.split('/').at(-1), change.traceparent]),
    [
      ['created', 'alone', traceparentOf(1)],
      ['created', 'untraced', undefined],
      ['created', 'first', traceparentOf(2)],
      ['created', 'second', undefined],
      ['created', 'third', traceparentOf(4)],
      ['deleted', 'alone', traceparentOf(5)],
      ['deleted', 'first', traceparentOf(6)],
    ],
  );
  assert.deepEqual(
    seen.slice(2).map(({ revision }) => revision),
    [...outcomes.map(({ revision }) => revision), deleted.revision],
  );
  // A state inside the batch is read from the deletion marks, beside which the mark of traces lies.
  const inside = await reader.list(
    { prefix: storageKeyFrom('/core/configmaps/'), atRevision: outcomes[1]?.revision ?? 0 },
    call(),
  );
  assert.deepEqual(
    inside.records.map(record => record.key.split('/').at(-1)),
    ['alone', 'first', 'second', 'untraced'],
  );
});

test('a mark names sixteen traces at most, and has no place in a batch without room', () => {
  const limits = { operations: 128, bytes: 1_572_864 };
  const members = (count: number) => Array.from({ length: count }, (_, number) => call(number + 1));
  const batchOf = (count: number) => {
    const batch = new Batch(limits);
    for (let number = 0; number < count; number++)
      assert.ok(batch.tryAdd(batchMember(put(`k${number}`))), `${number}`);
    return batch;
  };
  const traces = decodeTraces(encodeTraces(batchOf(40), members(40)) ?? Buffer.alloc(0));
  assert.deepEqual([...traces].slice(0, 2), [
    [88, traceparentOf(1)],
    [89, traceparentOf(2)],
  ]);
  assert.equal(traces.size, 16);
  assert.equal(encodeTraces(batchOf(124), members(124)), undefined);
});

test('a mark that is none holds no traces', () => {
  for (const text of [
    '',
    'x',
    '/_trace/1',
    '/_trace/1/rubbish',
    '/core/configmaps/ns/a\0/core/configmaps/ns/b',
  ])
    assert.equal(decodeTraces(Buffer.from(text)).size, 0, text);
});
