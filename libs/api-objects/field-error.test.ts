import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorMessage, fieldPath, invalidField, notSupportedField } from './index.ts';

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
  test(`the message of a field error is ${text}`, () =>
    assert.equal(fieldErrorMessage(invalidField('f', value, 'no')), `Invalid value: ${text}: no`));

test('a field error shows only the beginning of a large value', () => {
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

test('a field error shows only the beginning of many supported values, and of a long detail', () => {
  const values = Array.from({ length: 5_000 }, (_, i) => `v${i}`);
  const all = values.map(value => `"${value}"`).join(', ');
  const begin = 'supported values: ';
  assert.equal(
    fieldErrorMessage(notSupportedField('f', 'x', values)),
    `Unsupported value: "x": ${`${begin}${all}`.slice(0, 4096)}…`,
  );
  assert.equal(
    fieldErrorMessage(notSupportedField('f', 'x', ['a', 'b'])),
    `Unsupported value: "x": ${begin}"a", "b"`,
  );
  assert.equal(
    fieldErrorMessage(invalidField('f', 'x', 'y'.repeat(10_000))),
    `Invalid value: "x": ${'y'.repeat(4096)}…`,
  );
});

test('the path of a field error is short, however long the keys are and however deep it is', () => {
  const key = 'k'.repeat(900_000);
  assert.equal(String(fieldPath('a').key(key).child('b')), `a[${'k'.repeat(512)}…].b`);
  assert.equal(String(fieldPath('a').child(key).index(1)), `a.${'k'.repeat(512)}…[1]`);
  let path = fieldPath('a');
  for (let i = 0; i < 1000; i++) path = path.child(key).key(key).index(i);
  assert.ok(String(path).length < 3000);
});
