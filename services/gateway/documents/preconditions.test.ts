import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { preconditionVerdict, rangeFor } from './preconditions.ts';

const validators = { entityTag: '"A"', lastModified: Date.UTC(1994, 10, 6, 8, 49, 37) };
const before = 'Sun, 06 Nov 1994 08:49:36 GMT';
const same = 'Sun, 06 Nov 1994 08:49:37 GMT';
const later = 'Sun, 06 Nov 1994 08:49:38 GMT';

const cases: readonly [headers: IncomingHttpHeaders, verdict: ReturnType<typeof preconditionVerdict>][] = [
  [{}, 'wanted'],
  [{ 'if-none-match': '"A"' }, 'not-modified'],
  [{ 'if-none-match': '"B", W/"A"' }, 'not-modified'],
  [{ 'if-none-match': '*' }, 'not-modified'],
  [{ 'if-none-match': '"B"' }, 'wanted'],
  [{ 'if-none-match': '"B"', 'if-modified-since': later }, 'wanted'],
  [{ 'if-modified-since': before }, 'wanted'],
  [{ 'if-modified-since': same }, 'not-modified'],
  [{ 'if-modified-since': later }, 'not-modified'],
  [{ 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 'not-modified'],
  [{ 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }, 'not-modified'],
  [{ 'if-modified-since': 'Sun Nov  6 08:49:36 1994' }, 'wanted'],
  [{ 'if-modified-since': 'tomorrow' }, 'wanted'],
  [{ 'if-modified-since': '2030-01-01' }, 'wanted'],
  [{ 'if-match': '"A"' }, 'wanted'],
  [{ 'if-match': '"B", "A"' }, 'wanted'],
  [{ 'if-match': '*' }, 'wanted'],
  [{ 'if-match': 'W/"A"' }, 'failed'],
  [{ 'if-match': '"B"' }, 'failed'],
  [{ 'if-match': '"A"', 'if-none-match': '"A"' }, 'not-modified'],
  [{ 'if-unmodified-since': before }, 'failed'],
  [{ 'if-unmodified-since': same }, 'wanted'],
  [{ 'if-unmodified-since': before, 'if-match': '"A"' }, 'wanted'],
];
for (const [headers, verdict] of cases)
  test(`with ${JSON.stringify(headers)} the document is ${verdict}`, () => {
    assert.equal(preconditionVerdict(headers, validators), verdict);
  });

const conditions: readonly [condition: string | undefined, applies: boolean][] = [
  [undefined, true],
  ['', true],
  ['"A"', true],
  [same, true],
  ['W/"A"', false],
  ['"B"', false],
  [before, false],
  [later, false],
];
for (const [condition, applies] of conditions)
  test(`a range with If-Range ${condition ?? 'absent'} ${applies ? 'counts' : 'does not count'}`, () => {
    const headers = { range: 'bytes=0-1', ...(condition !== undefined && { 'if-range': condition }) };
    assert.equal(rangeFor(headers, validators), applies ? 'bytes=0-1' : undefined);
  });
