import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusedRecords } from './refused-records.ts';

function create() {
  const state = { now: 0 };
  const lines: string[] = [];
  const counted: string[] = [];
  const clock = { now: () => 0, monotonic: () => state.now, after: () => () => {} };
  const log = { info() {}, warn() {}, error: (message: string) => void lines.push(message) };
  const records = new RefusedRecords({ clock, log, onRefusedRecord: reason => counted.push(reason) });
  return { state, lines, counted, records };
}

test('a partition without any decrypted record is reported as refused at once, until a record is decrypted', () => {
  const { records } = create();
  records.refused(3, 1n, 'unknown-key');
  assert.equal(records.refusal?.message, 'kafka record cannot be opened with the keys of this service');
  records.opened(2);
  assert.ok(records.refusal);
  records.opened(3);
  assert.equal(records.refusal, undefined);
});

test('forged records between genuine ones do not count as a refusal, five seconds of forged records only do', () => {
  const { state, records } = create();
  records.opened(0);
  for (; state.now < 60_000; state.now += 1000) {
    records.refused(0, 1n, 'forged');
    assert.equal(records.refusal, undefined);
    records.opened(0);
  }
  records.refused(0, 1n, 'forged');
  state.now += 4999;
  records.refused(0, 2n, 'forged');
  assert.equal(records.refusal, undefined);
  state.now += 1;
  assert.ok(records.refusal);
});

test('every refused record is counted, and at most one a minute is logged', () => {
  const { state, lines, counted, records } = create();
  for (let offset = 0n; offset < 1000n; offset++) records.refused(0, offset, 'unencrypted');
  state.now += 60_000;
  records.refused(0, 1000n, 'unencrypted');
  assert.deepEqual([counted.length, lines], [1001, ['kafka record refused', 'kafka record refused']]);
});
