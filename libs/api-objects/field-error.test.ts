import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorMessage, invalidField } from './index.ts';

const shown: [value: unknown, text: string][] = [
  ['a"b', '"a\\"b"'],
  [1.5, '1.5'],
  [null, '"null"'],
  [undefined, '"null"'],
  [[1, [], {}, 'x', null, undefined], '[1,[],{},"x",null,null]'],
  [{ a: { b: [true] }, c: undefined, d: '' }, '{"a":{"b":[true]},"d":""}'],
  [9007199254740993n, '9007199254740993'],
];
for (const [value, text] of shown)
  test(`a finding shows ${text}`, () =>
    assert.equal(fieldErrorMessage(invalidField('f', value, 'no')), `Invalid value: ${text}: no`));

test('a finding shows the beginning of a large value', () => {
  const deep = {
    list: Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}` })),
    text: 'x'.repeat(9_000),
  };
  for (const value of [deep, deep.list, deep.text]) {
    const [, , text = ''] = fieldErrorMessage(invalidField('f', value, 'no')).split(
      /^(Invalid value: )|: no$/,
    );
    assert.equal(text, `${JSON.stringify(value).slice(0, 4096)}…`);
  }
});
