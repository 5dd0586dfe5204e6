import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '@binnacle/status-errors';
import { StorageError } from '@binnacle/storage-contract';
import { clientErrorFrom } from './map-storage-errors.ts';

const cases: [StorageError['kind'], number, string][] = [
  ['compacted', 410, 'Expired'],
  ['future-revision', 504, 'Timeout'],
  ['too-large', 413, 'RequestEntityTooLarge'],
  ['full', 500, 'InternalError'],
  ['unavailable', 503, 'ServiceUnavailable'],
  ['deadline', 504, 'Timeout'],
  ['unknown-outcome', 504, 'Timeout'],
  ['cancelled', 504, 'Timeout'],
];
for (const [kind, code, reason] of cases) {
  test(`the storage error ${kind} becomes ${code} ${reason} without its internal message`, () => {
    const error = clientErrorFrom(new StorageError(kind, 'secret words'));
    assert.deepEqual([error.code, error.reason], [code, reason]);
    assert.doesNotMatch(JSON.stringify(error.toStatus()), /secret/);
  });
}

test('an unknown outcome is not reported as a failure', () => {
  assert.match(
    clientErrorFrom(new StorageError('unknown-outcome', '')).message,
    /outcome of the write is unknown/,
  );
});

test('the error of a full store says that it is full and that nothing was changed', () => {
  const { message, retryAfterSeconds } = clientErrorFrom(new StorageError('full', ''));
  assert.match(message, /the store is full \(database space exceeded\); nothing was changed/);
  // Clients that retry by themselves would only make it last longer until a person hears of it.
  assert.equal(retryAfterSeconds, undefined);
});

test('a StatusError is not changed, and any other error becomes an internal error', () => {
  const missing = notFound({ group: '', resource: 'pods' }, 'a');
  assert.equal(clientErrorFrom(missing), missing);
  assert.equal(clientErrorFrom(new TypeError('secret')).code, 500);
});
