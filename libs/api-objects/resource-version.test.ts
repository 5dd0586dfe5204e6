import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseResourceVersion } from './resource-version.ts';

const versions = [
  ['', 0],
  ['0', 0],
  ['00', 0],
  ['42', 42],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', 9_007_199_254_740_991],
  ['18446744073709551615', 9_007_199_254_740_991],
] as const;

for (const [text, revision] of versions)
  test(`the version ${JSON.stringify(text)} is the revision ${revision}`, () => {
    assert.equal(parseResourceVersion(text), revision);
  });

for (const text of ['18446744073709551616', '-1', '1.0', '1e3', ' 1', '0x1', 'a', '9'.repeat(21)])
  test(`${JSON.stringify(text)} is no version`, () => {
    assert.throws(() => parseResourceVersion(text), { code: 400, message: /is not a valid version/ });
  });
