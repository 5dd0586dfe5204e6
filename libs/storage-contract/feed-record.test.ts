import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { feedRecordCodec, type WatchEvent } from '@binnacle/proto';
import { decodeFeedRecord, encodeFeedRecord } from './feed-record.ts';

const events = (count: number, value: (index: number) => string): WatchEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'UPDATED' as const,
    revision: 100 + index,
    previousRevision: 99 + index,
    key: `/core/configmaps/a/${index}`,
    value: Buffer.from(value(index)),
    previousValue: Buffer.from(value(index - 1)),
    committedAt: 1,
    publishedAt: 2,
    reached: index === count - 1 ? 200 : undefined,
  }));

const alike = (index: number) => JSON.stringify({ metadata: { name: `example-${index}` }, data: { a: 'b' } });

/** Converts changes to plain data: the decoder returns empty fields in other container types. */
const plain = (list: readonly WatchEvent[]) =>
  list.map(({ value, previousValue, ...rest }) => ({
    ...rest,
    value: Buffer.from(value).toString('latin1'),
    previousValue: Buffer.from(previousValue).toString('latin1'),
    reached: rest.reached,
  }));

test('the trace of a change comes back, and readers that do not know the field pass over it', () => {
  const [change] = events(1, alike);
  assert.ok(change !== undefined);
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const value = Buffer.from(encodeFeedRecord('core/configmaps', [{ ...change, traceparent }]));
  assert.deepEqual(plain(decodeFeedRecord(value)), plain([{ ...change, traceparent }]));
  // The same bytes under a number that no release knows.
  const tag = value.indexOf(traceparent) - 2;
  assert.equal(value[tag], (11 << 3) | 2);
  value[tag] = (15 << 3) | 2;
  assert.deepEqual(plain(decodeFeedRecord(value)), plain([change]));
});

const isDeflated = (value: Uint8Array): boolean => feedRecordCodec.decode(value).deflated.length > 0;

test('changes are unchanged after encoding and decoding, one or many, compressed or not', () => {
  for (const [count, type, deflated] of [
    [1, 'core/configmaps', false],
    [3, 'core/configmaps', false],
    [100, 'core/configmaps', true],
    [100, 'core/secrets', false],
  ] as const) {
    const changes = events(count, alike);
    const value = encodeFeedRecord(type, changes);
    assert.deepEqual(plain(decodeFeedRecord(value)), plain(changes));
    assert.equal(isDeflated(value), deflated, `${count} of ${type}`);
  }
});

test('similar changes are compressed to a fraction of their size', () => {
  const changes = events(64, alike);
  const each = changes.reduce((sum, change) => sum + encodeFeedRecord('core/pods', [change]).length, 0);
  assert.ok(encodeFeedRecord('core/pods', changes).length < each / 5);
});

test('a single change of an ordinary object is not compressed', () => {
  const lone = encodeFeedRecord(
    'core/configmaps',
    events(1, index => `${index}${'x'.repeat(3000)}`),
  );
  assert.equal(isDeflated(lone), false);
});

test('badly compressible and very large changes are not compressed', () => {
  const random = events(4, () => randomBytes(2000).toString('latin1'));
  assert.equal(isDeflated(encodeFeedRecord('core/configmaps', random)), false);
  const large = events(1, () => 'x'.repeat(600_000));
  const value = encodeFeedRecord('core/configmaps', large);
  assert.equal(isDeflated(value), false);
  assert.deepEqual(plain(decodeFeedRecord(value)), plain(large));
});

test('a record that decompresses to more than the limit of publishers is refused', () => {
  const bomb = deflateRawSync(Buffer.alloc(50_000_000));
  const value = feedRecordCodec.encode({ events: [], deflated: bomb });
  assert.ok(value.length < 100_000);
  assert.throws(() => decodeFeedRecord(value), { code: 'ERR_BUFFER_TOO_LARGE' });
});

test('bytes that no publisher writes are refused', () => {
  const garbled = feedRecordCodec.encode({ events: [], deflated: Buffer.from('not deflated') });
  assert.throws(() => decodeFeedRecord(garbled));
  const whole = encodeFeedRecord('core/pods', events(2, alike));
  assert.throws(() => decodeFeedRecord(whole.subarray(0, -3)), RangeError);
});
