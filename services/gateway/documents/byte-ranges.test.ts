import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multipartBody, type RequestedRanges, requestedRanges } from './byte-ranges.ts';

const cut = (...pairs: [start: number, end: number][]): RequestedRanges => ({
  kind: 'ranges',
  ranges: pairs.map(([start, end]) => ({ start, end })),
});
const whole = cut();
const outside = { kind: 'outside' } as const;
const malformed = { kind: 'malformed' } as const;
const cases: readonly [header: string | undefined, expected: RequestedRanges][] = [
  [undefined, whole],
  ['', whole],
  ['bytes=', whole],
  ['bytes=0-4', cut([0, 5])],
  ['bytes=0-0', cut([0, 1])],
  ['bytes=2-', cut([2, 10])],
  ['bytes=-3', cut([7, 10])],
  ['bytes=-30', cut([0, 10])],
  ['bytes=8-30', cut([8, 10])],
  ['bytes=0-1, 4-5,9-', cut([0, 2], [4, 6], [9, 10])],
  ['bytes=0-1,30-', cut([0, 2])],
  ['bytes=10-', outside],
  ['bytes=10-20,99-', outside],
  ['bytes=-0', outside],
  ['bytes=-0,-2', cut([8, 10])],
  ['bytes=0-9,0-9', whole],
  [`bytes=${Array.from({ length: 65 }, () => '0-0').join()}`, whole],
  ['bytes=5-4', malformed],
  ['bytes=-', malformed],
  ['bytes=a-b', malformed],
  ['bytes=--1', malformed],
  ['bytes=0-1,x', malformed],
  ['items=0-1', malformed],
];
for (const [header, expected] of cases)
  test(`the range ${header?.slice(0, 40) ?? 'absent'} of ten bytes is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(requestedRanges(header, 10), expected);
  });

test('several ranges are one multipart body', () => {
  const ranges = [
    { start: 0, end: 2 },
    { start: 8, end: 10 },
  ];
  const options = { boundary: 'B', contentType: 'text/plain' };
  const part = (range: string, text: string) =>
    `--B\r\nContent-Range: bytes ${range}/10\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`;
  assert.equal(
    multipartBody(Buffer.from('0123456789'), ranges, options).toString(),
    `${part('0-1', '01')}${part('8-9', '89')}--B--\r\n`,
  );
});
