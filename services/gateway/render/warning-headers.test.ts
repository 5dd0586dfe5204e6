import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warning-headers.ts';

test('a warning is quoted, and said once', () => {
  assert.deepEqual(warningHeaders(['unknown field "a"', 'unknown field "a"']), [
    '299 - "unknown field \\"a\\""',
  ]);
});

test('what is empty is no warning', () => {
  assert.deepEqual(warningHeaders(['', ' ', '\n', 'a', '']), ['299 - "a"']);
});

test('control characters cannot break out of the header', () => {
  assert.deepEqual(warningHeaders(['a\r\nSet-Cookie: b']), ['299 - "a Set-Cookie: b"']);
});

test('many long warnings are cut, and end when all is said that there is room for', () => {
  const headers = warningHeaders(Array.from({ length: 20 }, (_, i) => `${i}${'x'.repeat(400)}`));
  assert.equal(headers.length, 16);
  for (const header of headers) assert.equal(header.length, '299 - ""'.length + 256);
});

test('short warnings are all said up to the limit, characters of two units counting as one', () => {
  assert.equal(warningHeaders(Array.from({ length: 120 }, (_, i) => `unknown field "${i}"`)).length, 120);
  const [first = ''] = warningHeaders(['\u{1f6a2}'.repeat(3000)]);
  assert.equal([...Buffer.from(first, 'latin1').toString()].length, '299 - ""'.length + 256);
});
