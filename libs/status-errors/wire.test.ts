import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeStatusError,
  encodeStatusError,
  internalError,
  invalid,
  StatusError,
  statusErrorFrom,
  tooManyRequests,
} from './index.ts';

const many = Array.from({ length: 200 }, (_, index) => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: "ä${index}"`,
  field: `spec.items[${index}]`,
}));

test('an error is unchanged after encoding and decoding', () => {
  for (const error of [tooManyRequests('später', 7), invalid({ group: 'g', kind: 'K' }, 'n', many)]) {
    const decoded = decodeStatusError(encodeStatusError(error));
    assert.ok(decoded instanceof StatusError);
    assert.deepEqual(decoded.toStatus(), error.toStatus());
  }
});

test('a byte limit removes causes and then text, never the code and reason', () => {
  const error = invalid({ group: 'g', kind: 'K' }, 'n', many);
  const bytes = encodeStatusError(error, { maxBytes: 2000 });
  assert.ok(bytes.length <= 2000);
  const decoded = decodeStatusError(bytes);
  assert.equal(decoded.code, 422);
  assert.equal(decoded.reason, 'Invalid');
});

test('the cause of an internal error is not sent', () => {
  const error = statusErrorFrom(new Error('password is hunter2'));
  assert.equal(error.code, 500);
  assert.match(String(error.cause), /hunter2/);
  assert.doesNotMatch(Buffer.from(encodeStatusError(error)).toString(), /hunter2/);
});

test('a StatusError is not wrapped', () => {
  const error = internalError('x');
  assert.equal(statusErrorFrom(error), error);
});

test('bytes that are not an error become an internal error', () => {
  for (const text of ['', '{', '[]', 'null', '{"code":"x"}']) {
    assert.equal(decodeStatusError(Buffer.from(text)).code, 500);
  }
});
