import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warning-headers.ts';

test('a warning is quoted, and sent once', () => {
  assert.deepEqual(warningHeaders(['unknown field "a"', 'unknown field "a"']), [
    '299 - "unknown field \\"a\\""',
  ]);
});

test('empty texts are not sent as warnings', () => {
  assert.deepEqual(warningHeaders(['', ' ', '\n', 'a', '']), ['299 - "a"']);
});

test('control characters are removed from the header', () => {
  assert.deepEqual(warningHeaders(['a\r\nSet-Cookie: b']), ['299 - "a Set-Cookie: b"']);
});

test('many long warnings are shortened, and omitted beyond the total limit', () => {
  const headers = warningHeaders(Array.from({ length: 20 }, (_, i) => `${i}${'x'.repeat(400)}`));
  assert.equal(headers.length, 16);
  for (const header of headers) assert.equal(header.length, '299 - ""'.length + 256);
});

test('short warnings are sent completely up to the limit, in which a surrogate pair counts as one character', () => {
  assert.equal(warningHeaders(Array.from({ length: 120 }, (_, i) => `unknown field "${i}"`)).length, 120);
  const [first = ''] = warningHeaders(['\u{1f6a2}'.repeat(3000)]);
  assert.equal([...Buffer.from(first, 'latin1').toString()].length, '299 - ""'.length + 256);
});
