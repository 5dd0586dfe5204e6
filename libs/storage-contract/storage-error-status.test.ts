import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConnectionLost,
  decodeStatusError,
  encodeStatusError,
  internalError,
  serviceUnavailable,
  timeout,
} from '@binnacle/status-errors';
import { StorageError, type StorageErrorKind } from './storage-error.ts';
import { statusErrorFromStorageError, storageErrorFrom } from './storage-error-status.ts';

const kinds: readonly StorageErrorKind[] = [
  'compacted',
  'future-revision',
  'too-large',
  'full',
  'unavailable',
  'deadline',
  'unknown-outcome',
  'cancelled',
];

test('every kind of storage error is unchanged after encoding and decoding', () => {
  for (const kind of kinds) {
    const sent = statusErrorFromStorageError(new StorageError(kind, `it is ${kind}`));
    const received = decodeStatusError(encodeStatusError(sent));
    for (const writes of [true, false]) {
      const error = storageErrorFrom(received, { writes, aborted: false });
      assert.deepEqual([error.kind, error.message], [kind, `it is ${kind}`]);
    }
  }
});

const silent: readonly {
  readonly thrown: unknown;
  readonly read: StorageErrorKind;
  readonly write: StorageErrorKind;
}[] = [
  { thrown: new ConnectionLost('the connection broke'), read: 'unavailable', write: 'unknown-outcome' },
  { thrown: serviceUnavailable('no pod can be reached'), read: 'unavailable', write: 'unavailable' },
  { thrown: timeout('too late'), read: 'deadline', write: 'unknown-outcome' },
  { thrown: internalError('a bug'), read: 'unavailable', write: 'unknown-outcome' },
  { thrown: new TypeError('a bug here'), read: 'unavailable', write: 'unknown-outcome' },
];

for (const { thrown, read, write } of silent) {
  test(`${String(thrown)} is ${read} for a read and ${write} for a transaction`, () => {
    assert.equal(storageErrorFrom(thrown, { writes: false, aborted: false }).kind, read);
    assert.equal(storageErrorFrom(thrown, { writes: true, aborted: false }).kind, write);
  });
}

test('a call that its caller ended is cancelled for a read, and unknown for a transaction', () => {
  const thrown = new Error('aborted');
  assert.equal(storageErrorFrom(thrown, { writes: false, aborted: true }).kind, 'cancelled');
  assert.equal(storageErrorFrom(thrown, { writes: true, aborted: true }).kind, 'unknown-outcome');
});
