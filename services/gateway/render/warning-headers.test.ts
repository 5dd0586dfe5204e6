import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warning-headers.ts';

test('a warning is quoted, and said once', () => {
  assert.deepEqual(warningHeaders(['unknown field "a"', 'unknown field "a"']), [
    '299 - "unknown field \\"a\\""',
  ]);
});

test('control characters cannot break out of the header', () => {
  assert.deepEqual(warningHeaders(['a\r\nSet-Cookie: b']), ['299 - "a Set-Cookie: b"']);
});

test('many long warnings are cut', () => {
  const headers = warningHeaders(Array.from({ length: 20 }, (_, i) => `${i}${'x'.repeat(400)}`));
  assert.equal(headers.length, 20);
  for (const header of headers) assert.equal(header.length, '299 - ""'.length + 256);
});
